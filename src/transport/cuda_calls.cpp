// Opens the CUDA driver for transports.
#include "transport/cuda_calls.hpp"

#include <jute/base/error.hpp>
#include <jute/base/nearest_name.hpp>

namespace jute::transport {
namespace {

void bind_cuda(base::Binder& binder, CudaCalls& calls) {
  binder.bind(calls.init, "cuInit");
  binder.bind(calls.error_name, "cuGetErrorName");
  binder.bind(calls.device_get, "cuDeviceGet");
  binder.bind(calls.device_count, "cuDeviceGetCount");
  binder.bind(calls.primary_retain, "cuDevicePrimaryCtxRetain");
  binder.bind(calls.primary_release, "cuDevicePrimaryCtxRelease_v2");
  binder.bind(calls.context_push, "cuCtxPushCurrent_v2");
  binder.bind(calls.context_pop, "cuCtxPopCurrent_v2");
  binder.bind(calls.can_access_peer, "cuDeviceCanAccessPeer");
  binder.bind(calls.enable_peer, "cuCtxEnablePeerAccess");
  binder.bind(calls.memory_alloc, "cuMemAlloc_v2");
  binder.bind(calls.memory_free, "cuMemFree_v2");
  binder.bind(calls.host_alloc, "cuMemHostAlloc");
  binder.bind(calls.host_free, "cuMemFreeHost");
  binder.bind(calls.fill, "cuMemsetD8Async");
  binder.bind_if_there(calls.write_word, "cuStreamWriteValue32_v2");
  binder.bind(calls.copy, "cuMemcpyDtoDAsync_v2");
  binder.bind(calls.copy_2d, "cuMemcpy2DAsync_v2");
  binder.bind(calls.stream_create, "cuStreamCreate");
  binder.bind(calls.stream_destroy, "cuStreamDestroy_v2");
  binder.bind(calls.stream_wait, "cuStreamWaitEvent");
  binder.bind(calls.event_create, "cuEventCreate");
  binder.bind(calls.event_destroy, "cuEventDestroy_v2");
  binder.bind(calls.event_record, "cuEventRecord");
  binder.bind(calls.event_query, "cuEventQuery");
}

[[noreturn]] void refuse_cuda(std::string rule) {
  throw Exception({.code = ErrorCode::no_gpu,
                   .operand = "driver",
                   .value = "libcuda.so.1",
                   .violated_rules = {std::move(rule)}});
}

}  // namespace

void CudaCalls::require(const char* call, CudaStatus status) const {
  if (status == kCudaSuccess) return;
  const char* name = nullptr;
  const bool is_named = error_name(status, &name) == kCudaSuccess && name != nullptr;
  throw Exception(
      {.code = status == kCudaOutOfMemory ? ErrorCode::out_of_memory : ErrorCode::driver_failed,
       .operand = call,
       .value = is_named ? std::string(name) : "CUDA status " + std::to_string(status),
       .violated_rules = {"the call must succeed"}});
}

std::shared_ptr<const CudaCalls> load_cuda(const base::LibraryLoader& loader) {
  void* library = loader.open("libcuda.so.1");
  if (library == nullptr) refuse_cuda("the library must open: " + loader.error());
  auto calls = std::make_shared<CudaCalls>();
  base::Binder binder(library, loader);
  bind_cuda(binder, *calls);
  if (!binder.missing().empty())
    refuse_cuda("the driver must be of CUDA 12 or later; it lacks " + joined(binder.missing()));
  return calls;
}

}  // namespace jute::transport
