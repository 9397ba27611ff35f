// NCCL's stand-in: communicators that never wait, and what they send.
#include <cstring>

#include "transport/stand_in_parts.hpp"

namespace jute::test {
namespace {

using namespace jute::transport;

std::map<std::string, std::shared_ptr<FakeWorld>> worlds;
int next_world = 0;
thread_local std::vector<std::pair<FakeComm*, Posted>> group_sends, group_receives;

NcclResult nccl_version(int* version) {
  *version = stand_in().nccl_version;
  return kNcclSuccess;
}
const char* nccl_text(NcclResult) { return "of the stand-in"; }
const char* nccl_last(NcclComm) { return ""; }
NcclResult nccl_id(NcclId* id) {
  const std::lock_guard lock(nccl_mutex());
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
  const std::lock_guard lock(nccl_mutex());
  std::shared_ptr<FakeWorld>& world = worlds[id.bytes];
  if (!world) world = std::make_shared<FakeWorld>();
  world->size = ranks;
  ++world->came;
  change(&StandIn::live_comms, 1);
  *comm = reinterpret_cast<NcclComm>(new FakeComm{world, rank, current_gpu(), {}, {}, 0, false});
  return kNcclInProgress;
}
NcclResult nccl_async(NcclComm comm, NcclResult* result) {
  FakeComm& own = comm_of(comm);
  if (const NcclResult fault = told("ncclCommGetAsyncError", own.rank)) {
    *result = fault;
    return kNcclSuccess;
  }
  const std::lock_guard lock(nccl_mutex());
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
    const std::lock_guard lock(nccl_mutex());
    comm_of(comm).world->is_aborted = true;
  }
  return nccl_end(comm);
}
NcclResult nccl_group_start() { return told("ncclGroupStart", current_gpu()); }
NcclResult nccl_group_end() {
  const auto sends = std::exchange(group_sends, {});
  const auto receives = std::exchange(group_receives, {});
  if (const NcclResult fault = told("ncclGroupEnd", current_gpu())) return fault;
  const std::lock_guard lock(nccl_mutex());
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

}  // namespace

std::mutex& nccl_mutex() {
  static std::mutex mutex;
  return mutex;
}

FakeComm& comm_of(NcclComm comm) { return *reinterpret_cast<FakeComm*>(comm); }

NcclResult told(const char* call, int rank) {
  const std::lock_guard lock(stand_in().mutex);
  const int at = stand_in().counts[{call, rank}]++;
  for (const NcclFault& fault : stand_in().faults)
    if (fault.call == call && fault.rank == rank && fault.at == at) return fault.result;
  return kNcclSuccess;
}

const Symbols& nccl_symbols() {
  static const Symbols kSymbols{{"ncclGetVersion", as_symbol(nccl_version)},
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
                                {"ncclGroupStart", as_symbol(nccl_group_start)},
                                {"ncclGroupEnd", as_symbol(nccl_group_end)},
                                {"ncclSend", as_symbol(nccl_send)},
                                {"ncclRecv", as_symbol(nccl_receive)}};
  return kSymbols;
}

}  // namespace jute::test
