// The stand-ins: copies at once, NCCL's calls that never wait.
#include "transport/stand_in_gpus.hpp"

#include <cstring>
#include <exception>
#include <optional>
#include <string_view>
#include <utility>

namespace jute::test {
namespace {

using namespace jute::transport;

class EmulatorMemory final : public StandInMemory {
 public:
  explicit EmulatorMemory(std::vector<Backend*> backends) : backends_(std::move(backends)) {}
  void read(int gpu, std::span<std::byte> target, DevicePointer source) override {
    at(gpu).copy_out(target, source);
  }
  void write(int gpu, DevicePointer target, std::span<const std::byte> source) override {
    at(gpu).copy_in(target, source);
  }
  DevicePointer alloc(int gpu, Index bytes) override { return at(gpu).alloc(bytes); }
  void free(int gpu, DevicePointer pointer) override { at(gpu).free(pointer); }

 private:
  Backend& at(int gpu) { return *backends_[static_cast<std::size_t>(gpu)]; }
  std::vector<Backend*> backends_;
};

class HostMemory final : public StandInMemory {
 public:
  void read(int /*gpu*/, std::span<std::byte> target, DevicePointer source) override {
    std::memcpy(target.data(), pointer_of(source), target.size());
  }
  void write(int /*gpu*/, DevicePointer target, std::span<const std::byte> source) override {
    std::memcpy(pointer_of(target), source.data(), source.size());
  }
  DevicePointer alloc(int /*gpu*/, Index bytes) override {
    return static_cast<DevicePointer>(
        reinterpret_cast<std::uintptr_t>(::operator new(static_cast<std::size_t>(bytes))));
  }
  void free(int /*gpu*/, DevicePointer pointer) override { ::operator delete(pointer_of(pointer)); }

 private:
  static void* pointer_of(DevicePointer pointer) {
    return reinterpret_cast<void*>(static_cast<std::uintptr_t>(pointer));
  }
};

std::unique_ptr<StandIn>& state() {
  static auto it = std::make_unique<StandIn>();
  return it;
}

constexpr Status kInvalidHandle = 400;

thread_local std::vector<int> current_gpus;

int current_gpu() { return current_gpus.empty() ? 0 : current_gpus.back(); }
ContextHandle context_of(int gpu) {
  return reinterpret_cast<ContextHandle>(static_cast<std::uintptr_t>(gpu + 1));
}
int gpu_of(ContextHandle context) {
  return static_cast<int>(reinterpret_cast<std::uintptr_t>(context)) - 1;
}

void change(int StandIn::*count, int by) {
  const std::lock_guard lock(stand_in().mutex);
  stand_in().*count += by;
}

// --- the driver -------------------------------------------------------------------------------

Status fake_ok(unsigned) { return kSuccess; }
Status fake_name(Status, const char** name) {
  *name = "CUDA_ERROR_STAND_IN";
  return kSuccess;
}
Status fake_device(int* device, int ordinal) {
  *device = ordinal;
  return kSuccess;
}
Status fake_count(int* count) {
  *count = stand_in().gpu_count;
  return kSuccess;
}
Status fake_retain(ContextHandle* context, int device) {
  *context = context_of(device);
  return kSuccess;
}
Status fake_release(int) { return kSuccess; }
Status fake_push(ContextHandle context) {
  current_gpus.push_back(gpu_of(context));
  return kSuccess;
}
Status fake_pop(ContextHandle*) {
  current_gpus.pop_back();
  return kSuccess;
}
Status fake_can_access(int* can, int, int) {
  *can = stand_in().has_peer_access ? 1 : 0;
  return kSuccess;
}
Status fake_enable(ContextHandle, unsigned) { return kPeerAccessAlreadyEnabled; }
Status fake_alloc(DriverAddress* address, std::size_t bytes) {
  *address = stand_in().memory->alloc(current_gpu(), static_cast<Index>(bytes));
  change(&StandIn::live_allocs, 1);
  return kSuccess;
}
Status fake_free(DriverAddress address) {
  stand_in().memory->free(current_gpu(), address);
  change(&StandIn::live_allocs, -1);
  return kSuccess;
}
Status fake_host_alloc(void** address, std::size_t bytes, unsigned) {
  *address = ::operator new(bytes);
  change(&StandIn::live_allocs, 1);
  return kSuccess;
}
Status fake_host_free(void* address) {
  ::operator delete(address);
  change(&StandIn::live_allocs, -1);
  return kSuccess;
}
/// Notes the call; a stream that has been destroyed is none.
Status called(const char* call, StreamHandle stream) {
  const std::lock_guard lock(stand_in().mutex);
  ++stand_in().counts[{call, current_gpu()}];
  return stand_in().ended_streams.contains(stream) ? kInvalidHandle : kSuccess;
}
Status fake_fill(DriverAddress address, unsigned char value, std::size_t bytes, StreamHandle) {
  const std::vector<std::byte> all(bytes, std::byte{value});
  stand_in().memory->write(current_gpu(), address, all);
  return kSuccess;
}
Status fake_word(StreamHandle stream, DriverAddress address, std::uint32_t value, unsigned) {
  if (const Status status = called("cuStreamWriteValue32", stream)) return status;
  stand_in().memory->write(current_gpu(), address, std::as_bytes(std::span(&value, 1)));
  return kSuccess;
}
Status fake_copy(DriverAddress target, DriverAddress source, std::size_t bytes, StreamHandle) {
  std::vector<std::byte> middle(bytes);
  stand_in().memory->read(current_gpu(), middle, source);
  stand_in().memory->write(current_gpu(), target, middle);
  return kSuccess;
}
Status fake_copy_2d(const Copy2d* copy, StreamHandle stream) {
  if (copy->row_bytes > copy->source_pitch || copy->row_bytes > copy->target_pitch) return 1;
  for (std::size_t row = 0; row < copy->rows; ++row)
    (void)fake_copy(copy->target + row * copy->target_pitch,
                    copy->source + row * copy->source_pitch, copy->row_bytes, stream);
  return kSuccess;
}
Status fake_stream(StreamHandle* stream, unsigned) {
  const std::lock_guard lock(stand_in().mutex);
  *stream = reinterpret_cast<StreamHandle>(++stand_in().next_stream);
  ++stand_in().live_streams;
  return kSuccess;
}
Status fake_stream_end(StreamHandle stream) {
  const std::lock_guard lock(stand_in().mutex);
  if (!stand_in().ended_streams.insert(stream).second) return kInvalidHandle;
  --stand_in().live_streams;
  return kSuccess;
}
Status fake_stream_wait(StreamHandle stream, EventHandle, unsigned) {
  return called("cuStreamWaitEvent", stream);
}
Status fake_event(EventHandle* event, unsigned) {
  *event = reinterpret_cast<EventHandle>(std::uintptr_t{1});
  change(&StandIn::live_events, 1);
  return kSuccess;
}
Status fake_event_end(EventHandle) {
  change(&StandIn::live_events, -1);
  return kSuccess;
}
Status fake_record(EventHandle, StreamHandle stream) { return called("cuEventRecord", stream); }
Status fake_query(EventHandle) { return kSuccess; }

// --- NCCL -------------------------------------------------------------------------------------

struct Posted {
  int peer;
  DevicePointer place;
  std::size_t bytes;
};
struct FakeComm;
struct FakeSum {
  int kind = 0;  // 0: all, 1: parts
  DevicePointer to = 0;
  std::size_t bytes = 0;
  int type = 0;
};
struct FakeWorld {
  std::map<int, std::deque<std::vector<std::byte>>> summands;  // by rank, one behind the other
  int size = 0, came = 0;
  bool is_aborted = false;
  std::map<int, std::vector<void*>> windows;  // by rank, one behind the other
  std::map<std::pair<int, int>, std::deque<std::vector<std::byte>>> letters;  // (from, to)
};
struct FakeComm {
  std::shared_ptr<FakeWorld> world;
  int rank = 0, gpu = 0;
  std::deque<Posted> awaited;
  std::optional<FakeSum> sum;
  std::size_t sums_done = 0;
  bool is_broken = false;
};

std::mutex nccl_mutex;
std::map<std::string, std::shared_ptr<FakeWorld>> worlds;
int next_world = 0;
thread_local std::vector<std::pair<FakeComm*, Posted>> group_sends, group_receives;

FakeComm& comm_of(NcclComm comm) { return *reinterpret_cast<FakeComm*>(comm); }

/// What a test wants this call to say on this rank, this time.
NcclResult told(const char* call, int rank) {
  const std::lock_guard lock(stand_in().mutex);
  const int at = stand_in().counts[{call, rank}]++;
  for (const NcclFault& fault : stand_in().faults)
    if (fault.call == call && fault.rank == rank && fault.at == at) return fault.result;
  return kNcclSuccess;
}

NcclResult nccl_version(int* version) {
  *version = stand_in().nccl_version;
  return kNcclSuccess;
}
const char* nccl_text(NcclResult) { return "of the stand-in"; }
const char* nccl_last(NcclComm) { return ""; }
NcclResult nccl_id(NcclId* id) {
  const std::lock_guard lock(nccl_mutex);
  const std::string name = "world " + std::to_string(next_world++);
  std::memcpy(id->bytes, name.c_str(), name.size() + 1);
  return told("ncclGetUniqueId", 0);
}
NcclResult nccl_init(NcclComm* comm, int ranks, NcclId id, int rank, NcclConfig* config) {
  if (const NcclResult fault = told("ncclCommInitRankConfig", rank)) return fault;
  if (config->blocking != 0 || config->magic != 0xcafebeef) return 4;
  {
    const std::lock_guard lock(stand_in().mutex);
    stand_in().most_ctas = config->max_ctas;
  }
  const std::lock_guard lock(nccl_mutex);
  std::shared_ptr<FakeWorld>& world = worlds[id.bytes];
  if (!world) world = std::make_shared<FakeWorld>();
  world->size = ranks;
  ++world->came;
  change(&StandIn::live_comms, 1);
  *comm = reinterpret_cast<NcclComm>(new FakeComm{world, rank, current_gpu(), {}, {}, 0, false});
  return kNcclInProgress;
}
/// Once all ranks' summands are there; the world is locked.
bool sum_up(FakeComm& own) {
  std::vector<std::vector<std::byte>> all;
  for (int rank = 0; rank < own.world->size; ++rank) {
    const auto& said = own.world->summands[rank];
    if (said.size() <= own.sums_done) return false;
    all.push_back(said[own.sums_done]);
  }
  const FakeSum sum = *own.sum;
  const DType type = sum.type == 7 ? DType::f32 : sum.type == 9 ? DType::bf16 : DType::f16;
  const std::size_t first = sum.kind == 0 ? 0 : sum.bytes * static_cast<std::size_t>(own.rank);
  std::vector<double> sums;
  for (const std::vector<std::byte>& bytes : all) {
    const std::vector<double> more = decode(type, std::span(bytes).subspan(first, sum.bytes));
    sums.resize(more.size(), 0);
    for (std::size_t i = 0; i < more.size(); ++i) sums[i] += more[i];
    sums = decode(type, encode(type, sums));
  }
  stand_in().memory->write(own.gpu, sum.to, encode(type, sums));
  own.sum.reset();
  ++own.sums_done;
  return true;
}
NcclResult put_summands(int kind, const void* from, void* to, std::size_t count, int type,
                        int operation, NcclComm comm) {
  FakeComm& own = comm_of(comm);
  const char* const call = kind == 0 ? "ncclAllReduce" : "ncclReduceScatter";
  if (const NcclResult fault = told(call, own.rank)) return fault;
  if (operation != kNcclSum || (type != 7 && type != 9 && type != 6)) return 4;
  const std::size_t bytes = count * (type == 7 ? 4 : 2);
  const auto ranks = static_cast<std::size_t>(own.world->size);
  std::vector<std::byte> all(kind == 0 ? bytes : bytes * ranks);
  stand_in().memory->read(own.gpu, all,
                          static_cast<DevicePointer>(reinterpret_cast<std::uintptr_t>(from)));
  const std::lock_guard lock(nccl_mutex);
  own.world->summands[own.rank].push_back(std::move(all));
  own.sum =
      FakeSum{kind, static_cast<DevicePointer>(reinterpret_cast<std::uintptr_t>(to)), bytes, type};
  return kNcclInProgress;
}
NcclResult nccl_all_reduce(const void* from, void* to, std::size_t count, int type, int operation,
                           NcclComm comm, StreamHandle) {
  return put_summands(0, from, to, count, type, operation, comm);
}
NcclResult nccl_reduce_scatter(const void* from, void* to, std::size_t count, int type,
                               int operation, NcclComm comm, StreamHandle) {
  return put_summands(1, from, to, count, type, operation, comm);
}
NcclResult nccl_async(NcclComm comm, NcclResult* result) {
  FakeComm& own = comm_of(comm);
  if (const NcclResult fault = told("ncclCommGetAsyncError", own.rank)) {
    *result = fault;
    return kNcclSuccess;
  }
  const std::lock_guard lock(nccl_mutex);
  *result = own.is_broken ? 5 : own.world->is_aborted ? 6 : kNcclInProgress;
  if (*result != kNcclInProgress || own.world->came < own.world->size) return kNcclSuccess;
  while (!own.awaited.empty()) {
    const Posted& next = own.awaited.front();
    auto& box = own.world->letters[{next.peer, own.rank}];
    if (box.empty()) return kNcclSuccess;
    if (box.front().size() != next.bytes) {
      own.is_broken = true;
      *result = 5;
      return kNcclSuccess;
    }
    stand_in().memory->write(own.gpu, next.place, box.front());
    box.pop_front();
    own.awaited.pop_front();
  }
  if (own.sum && !sum_up(own)) return kNcclSuccess;
  *result = kNcclSuccess;
  return kNcclSuccess;
}
NcclResult nccl_count(NcclComm comm, int* count) {
  *count = comm_of(comm).world->size;
  return told("ncclCommCount", comm_of(comm).rank);
}
NcclResult nccl_rank(NcclComm comm, int* rank) {
  *rank = comm_of(comm).rank;
  return told("ncclCommUserRank", comm_of(comm).rank);
}
NcclResult nccl_finalize(NcclComm comm) { return told("ncclCommFinalize", comm_of(comm).rank); }
NcclResult nccl_end(NcclComm comm) {
  change(&StandIn::live_comms, -1);
  delete &comm_of(comm);
  return kNcclSuccess;
}
NcclResult nccl_abort(NcclComm comm) {
  {
    const std::lock_guard lock(nccl_mutex);
    comm_of(comm).world->is_aborted = true;
  }
  return nccl_end(comm);
}
NcclResult nccl_group_start() { return told("ncclGroupStart", current_gpu()); }
NcclResult nccl_group_end() {
  const auto sends = std::exchange(group_sends, {});
  const auto receives = std::exchange(group_receives, {});
  if (const NcclResult fault = told("ncclGroupEnd", current_gpu())) return fault;
  const std::lock_guard lock(nccl_mutex);
  for (const auto& [comm, posted] : sends) {
    std::vector<std::byte> bytes(posted.bytes);
    stand_in().memory->read(comm->gpu, bytes, posted.place);
    comm->world->letters[{comm->rank, posted.peer}].push_back(std::move(bytes));
  }
  for (const auto& [comm, posted] : receives) comm->awaited.push_back(posted);
  return kNcclInProgress;
}
NcclResult nccl_send(const void* from, std::size_t count, int type, int peer, NcclComm comm,
                     StreamHandle) {
  if (const NcclResult fault = told("ncclSend", comm_of(comm).rank)) return fault;
  if (type != kNcclBytes) return 4;
  group_sends.emplace_back(
      &comm_of(comm),
      Posted{peer, static_cast<DevicePointer>(reinterpret_cast<std::uintptr_t>(from)), count});
  return kNcclSuccess;
}
NcclResult nccl_receive(void* to, std::size_t count, int type, int peer, NcclComm comm,
                        StreamHandle) {
  if (const NcclResult fault = told("ncclRecv", comm_of(comm).rank)) return fault;
  if (type != kNcclBytes) return 4;
  group_receives.emplace_back(
      &comm_of(comm),
      Posted{peer, static_cast<DevicePointer>(reinterpret_cast<std::uintptr_t>(to)), count});
  return kNcclSuccess;
}

struct FakeWindow {
  std::shared_ptr<FakeWorld> world;
  std::size_t turn = 0;
};
NcclResult nccl_memory(void** memory, std::size_t bytes) {
  DriverAddress address = 0;
  const Status status = fake_alloc(&address, bytes);
  *memory = reinterpret_cast<void*>(static_cast<std::uintptr_t>(address));
  return status;
}
NcclResult nccl_memory_end(void* memory) {
  return fake_free(static_cast<DriverAddress>(reinterpret_cast<std::uintptr_t>(memory)));
}
/// Waits for the other ranks.
NcclResult nccl_window(NcclComm comm, void* memory, std::size_t, NcclWindowHandle* window,
                       int flags) {
  FakeComm& own = comm_of(comm);
  if (const NcclResult fault = told("ncclCommWindowRegister", own.rank)) return fault;
  if (flags != 1) return 4;
  auto made = std::make_unique<FakeWindow>(FakeWindow{own.world, 0});
  {
    const std::lock_guard lock(nccl_mutex);
    made->turn = own.world->windows[own.rank].size();
    own.world->windows[own.rank].push_back(memory);
  }
  const auto are_all_here = [&] {
    const std::lock_guard lock(nccl_mutex);
    for (int rank = 0; rank < own.world->size; ++rank)
      if (own.world->windows[rank].size() <= made->turn) return own.world->is_aborted;
    return true;
  };
  while (!are_all_here()) std::this_thread::yield();
  {
    const std::lock_guard lock(nccl_mutex);
    if (own.world->is_aborted) return 6;
  }
  change(&StandIn::live_windows, 1);
  *window = reinterpret_cast<NcclWindowHandle>(made.release());
  return kNcclSuccess;
}
NcclResult nccl_window_end(NcclComm, NcclWindowHandle window) {
  change(&StandIn::live_windows, -1);
  delete reinterpret_cast<FakeWindow*>(window);
  return kNcclSuccess;
}
NcclResult nccl_peer(NcclWindowHandle window, std::size_t offset, int peer, void** pointer) {
  const std::lock_guard lock(nccl_mutex);
  const FakeWindow& it = *reinterpret_cast<FakeWindow*>(window);
  *pointer = stand_in().reaches_windows
                 ? static_cast<std::byte*>(it.world->windows[peer][it.turn]) + offset
                 : nullptr;
  return kNcclSuccess;
}

void never_called() { std::terminate(); }

template <class Function>
void* as_symbol(Function* function) {
  return reinterpret_cast<void*>(function);
}

const std::map<std::string, void*>& symbols() {
  static const std::map<std::string, void*> kSymbols{
      {"cuInit", as_symbol(fake_ok)},
      {"cuGetErrorName", as_symbol(fake_name)},
      {"cuDeviceGet", as_symbol(fake_device)},
      {"cuDeviceGetCount", as_symbol(fake_count)},
      {"cuDevicePrimaryCtxRetain", as_symbol(fake_retain)},
      {"cuDevicePrimaryCtxRelease_v2", as_symbol(fake_release)},
      {"cuCtxPushCurrent_v2", as_symbol(fake_push)},
      {"cuCtxPopCurrent_v2", as_symbol(fake_pop)},
      {"cuDeviceCanAccessPeer", as_symbol(fake_can_access)},
      {"cuCtxEnablePeerAccess", as_symbol(fake_enable)},
      {"cuMemAlloc_v2", as_symbol(fake_alloc)},
      {"cuMemFree_v2", as_symbol(fake_free)},
      {"cuMemHostAlloc", as_symbol(fake_host_alloc)},
      {"cuMemFreeHost", as_symbol(fake_host_free)},
      {"cuMemsetD8Async", as_symbol(fake_fill)},
      {"cuStreamWriteValue32_v2", as_symbol(fake_word)},
      {"cuMemcpyDtoDAsync_v2", as_symbol(fake_copy)},
      {"cuMemcpy2DAsync_v2", as_symbol(fake_copy_2d)},
      {"cuStreamCreate", as_symbol(fake_stream)},
      {"cuStreamDestroy_v2", as_symbol(fake_stream_end)},
      {"cuStreamWaitEvent", as_symbol(fake_stream_wait)},
      {"cuEventCreate", as_symbol(fake_event)},
      {"cuEventDestroy_v2", as_symbol(fake_event_end)},
      {"cuEventRecord", as_symbol(fake_record)},
      {"cuEventQuery", as_symbol(fake_query)},
      {"ncclGetVersion", as_symbol(nccl_version)},
      {"ncclGetErrorString", as_symbol(nccl_text)},
      {"ncclGetLastError", as_symbol(nccl_last)},
      {"ncclGetUniqueId", as_symbol(nccl_id)},
      {"ncclCommInitRankConfig", as_symbol(nccl_init)},
      {"ncclCommGetAsyncError", as_symbol(nccl_async)},
      {"ncclCommCount", as_symbol(nccl_count)},
      {"ncclCommUserRank", as_symbol(nccl_rank)},
      {"ncclCommFinalize", as_symbol(nccl_finalize)},
      {"ncclCommDestroy", as_symbol(nccl_end)},
      {"ncclCommAbort", as_symbol(nccl_abort)},
      {"ncclAllReduce", as_symbol(nccl_all_reduce)},
      {"ncclReduceScatter", as_symbol(nccl_reduce_scatter)},
      {"ncclGroupStart", as_symbol(nccl_group_start)},
      {"ncclGroupEnd", as_symbol(nccl_group_end)},
      {"ncclSend", as_symbol(nccl_send)},
      {"ncclRecv", as_symbol(nccl_receive)},
      {"ncclMemAlloc", as_symbol(nccl_memory)},
      {"ncclMemFree", as_symbol(nccl_memory_end)},
      {"ncclCommWindowRegister", as_symbol(nccl_window)},
      {"ncclCommWindowDeregister", as_symbol(nccl_window_end)},
      {"ncclGetPeerDevicePointer", as_symbol(nccl_peer)}};
  return kSymbols;
}

}  // namespace

std::unique_ptr<StandInMemory> memory_of(std::vector<Backend*> backends) {
  return std::make_unique<EmulatorMemory>(std::move(backends));
}
std::unique_ptr<StandInMemory> host_memory() { return std::make_unique<HostMemory>(); }

StandIn& stand_in() { return *state(); }
void reset_stand_in(std::unique_ptr<StandInMemory> memory) {
  state() = std::make_unique<StandIn>();
  state()->memory = std::move(memory);
}

base::LibraryLoader stand_in_loader() {
  base::LibraryLoader loader;
  loader.open = [](const std::string& path) -> void* {
    const bool is_ours = path == "libcuda.so.1" || path.find("libnccl") != std::string::npos;
    return is_ours ? &stand_in() : nullptr;
  };
  loader.symbol = [](void*, const char* name) -> void* {
    if (stand_in().missing.contains(name)) return nullptr;
    const auto found = symbols().find(name);
    if (found != symbols().end()) return found->second;
    // What the table has for others than transports.
    return std::string_view(name).starts_with("cu") ? as_symbol(never_called) : nullptr;
  };
  loader.error = [] { return std::string("no such file"); };
  loader.path_of = [](void*) { return std::string("/stand-in/libnccl.so.2"); };
  return loader;
}

std::shared_ptr<const driver::Driver> stand_in_driver() {
  return driver::load_driver(stand_in_loader(), driver::DriverNeeds::several_gpus);
}

std::vector<std::shared_ptr<const Gpu>> stand_in_gpus(Index count) {
  const auto calls = stand_in_driver();
  std::vector<std::shared_ptr<const Gpu>> gpus;
  for (Index i = 0; i < count; ++i)
    gpus.push_back(std::make_shared<const Gpu>(calls, static_cast<int>(i)));
  return gpus;
}

std::vector<std::unique_ptr<Communicator>> stand_in_nccl_ends(
    std::vector<std::unique_ptr<Rendezvous>> rendezvous, std::chrono::milliseconds deadline,
    int most_sms) {
  const auto gpus = stand_in_gpus(static_cast<Index>(rendezvous.size()));
  const auto library = load_nccl({.library = "libnccl.so.2", .folders = {}}, stand_in_loader());
  std::vector<std::unique_ptr<Communicator>> ends(rendezvous.size());
  std::mutex mutex;
  std::exception_ptr first;
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < ends.size(); ++i)
    threads.emplace_back([&, i] {
      try {
        ends[i] = nccl_end(std::move(rendezvous[i]), gpus[i], library,
                           {.deadline = deadline, .most_sms = most_sms});
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!first) first = std::current_exception();
      }
    });
  for (std::thread& thread : threads) thread.join();
  if (first) std::rethrow_exception(first);
  return ends;
}

}  // namespace jute::test
