// A driver's stand-in: copies at once, events that are always over.
#include "transport/stand_in_parts.hpp"

namespace jute::test {
namespace {

using namespace jute::transport;

constexpr Status kInvalidHandle = 400;

thread_local std::vector<int> current_gpus;

ContextHandle context_of(int gpu) {
  return reinterpret_cast<ContextHandle>(static_cast<std::uintptr_t>(gpu + 1));
}
int gpu_of(ContextHandle context) {
  return static_cast<int>(reinterpret_cast<std::uintptr_t>(context)) - 1;
}

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

}  // namespace

int current_gpu() { return current_gpus.empty() ? 0 : current_gpus.back(); }

driver::Status stand_in_alloc(driver::DriverAddress* address, std::size_t bytes) {
  *address = stand_in().memory->alloc(current_gpu(), static_cast<Index>(bytes));
  change(&StandIn::live_allocs, 1);
  return kSuccess;
}
driver::Status stand_in_free(driver::DriverAddress address) {
  stand_in().memory->free(current_gpu(), address);
  change(&StandIn::live_allocs, -1);
  return kSuccess;
}

const Symbols& driver_symbols() {
  static const Symbols kSymbols{{"cuInit", as_symbol(fake_ok)},
                                {"cuGetErrorName", as_symbol(fake_name)},
                                {"cuDeviceGet", as_symbol(fake_device)},
                                {"cuDeviceGetCount", as_symbol(fake_count)},
                                {"cuDevicePrimaryCtxRetain", as_symbol(fake_retain)},
                                {"cuDevicePrimaryCtxRelease_v2", as_symbol(fake_release)},
                                {"cuCtxPushCurrent_v2", as_symbol(fake_push)},
                                {"cuCtxPopCurrent_v2", as_symbol(fake_pop)},
                                {"cuDeviceCanAccessPeer", as_symbol(fake_can_access)},
                                {"cuCtxEnablePeerAccess", as_symbol(fake_enable)},
                                {"cuMemAlloc_v2", as_symbol(stand_in_alloc)},
                                {"cuMemFree_v2", as_symbol(stand_in_free)},
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
                                {"cuEventQuery", as_symbol(fake_query)}};
  return kSymbols;
}

}  // namespace jute::test
