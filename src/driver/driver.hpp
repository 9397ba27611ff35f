#pragma once
// The functions of the CUDA driver that jute calls, as one table that tests fill with their own.
// Source: CUDA Driver API.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "base/library_loader.hpp"
#include "driver/driver_types.hpp"

namespace jute::driver {

/// The functions that a driver must have.
enum class DriverNeeds : std::uint8_t { one_gpu, several_gpus };

struct Driver : base::Functions {
  Driver(base::Functions functions, DriverNeeds needed)
      : base::Functions(std::move(functions)), needs(needed) {}

  DriverNeeds needs;
  [[nodiscard]] Symbol between_gpus(const char* name) {
    return needs == DriverNeeds::several_gpus ? get(name) : if_there(name);
  }

  Status (*init)(unsigned flags) = get("cuInit");
  Status (*driver_version)(int* version) = get("cuDriverGetVersion");
  Status (*error_name)(Status status, const char** name) = get("cuGetErrorName");
  Status (*error_text)(Status status, const char** text) = get("cuGetErrorString");

  Status (*device_count)(int* count) = get("cuDeviceGetCount");
  Status (*device_get)(DeviceOrdinal* device, int ordinal) = get("cuDeviceGet");
  Status (*device_name)(char* name, int capacity, DeviceOrdinal device) = get("cuDeviceGetName");
  Status (*device_attribute)(int* value, int attribute,
                             DeviceOrdinal device) = get("cuDeviceGetAttribute");
  Status (*device_memory)(size_t* bytes, DeviceOrdinal device) = get("cuDeviceTotalMem_v2");

  Status (*primary_retain)(ContextHandle* context,
                           DeviceOrdinal device) = get("cuDevicePrimaryCtxRetain");
  Status (*primary_release)(DeviceOrdinal device) = get("cuDevicePrimaryCtxRelease_v2");
  Status (*context_current)(ContextHandle* context) = get("cuCtxGetCurrent");
  Status (*context_push)(ContextHandle context) = get("cuCtxPushCurrent_v2");
  Status (*context_pop)(ContextHandle* context) = get("cuCtxPopCurrent_v2");
  Status (*context_device)(DeviceOrdinal* device) = get("cuCtxGetDevice");
  Status (*context_synchronize)() = get("cuCtxSynchronize");

  Status (*memory_alloc)(DriverAddress* address, size_t bytes) = get("cuMemAlloc_v2");
  Status (*memory_free)(DriverAddress address) = get("cuMemFree_v2");
  Status (*memory_info)(size_t* free, size_t* all) = get("cuMemGetInfo_v2");
  Status (*copy_in)(DriverAddress target, const void* source, size_t bytes,
                    StreamHandle stream) = get("cuMemcpyHtoDAsync_v2");
  Status (*copy_out)(void* target, DriverAddress source, size_t bytes,
                     StreamHandle stream) = get("cuMemcpyDtoHAsync_v2");
  Status (*fill)(DriverAddress target, unsigned char value, size_t bytes,
                 StreamHandle stream) = get("cuMemsetD8Async");

  // Between GPUs: DriverNeeds::several_gpus.
  Status (*can_access_peer)(int* can, DeviceOrdinal device,
                            DeviceOrdinal peer) = between_gpus("cuDeviceCanAccessPeer");
  Status (*enable_peer)(ContextHandle peer, unsigned flags) = between_gpus("cuCtxEnablePeerAccess");
  /// Memory of the host that every context reaches at the same address.
  Status (*host_alloc)(void** address, size_t bytes,
                       unsigned flags) = between_gpus("cuMemHostAlloc");
  Status (*host_free)(void* address) = between_gpus("cuMemFreeHost");
  Status (*copy)(DriverAddress target, DriverAddress source, size_t bytes,
                 StreamHandle stream) = between_gpus("cuMemcpyDtoDAsync_v2");
  Status (*copy_2d)(const Copy2d* copy, StreamHandle stream) = between_gpus("cuMemcpy2DAsync_v2");
  Status (*stream_wait)(StreamHandle stream, EventHandle event,
                        unsigned flags) = between_gpus("cuStreamWaitEvent");
  Status (*event_query)(EventHandle event) = between_gpus("cuEventQuery");
  /// A word of any GPU's memory, behind all that the stream has done; null: an old driver.
  Status (*write_word)(StreamHandle stream, DriverAddress address, std::uint32_t value,
                       unsigned flags) = if_there("cuStreamWriteValue32_v2");

  Status (*stream_create)(StreamHandle* stream, unsigned flags) = get("cuStreamCreate");
  Status (*stream_destroy)(StreamHandle stream) = get("cuStreamDestroy_v2");
  Status (*stream_synchronize)(StreamHandle stream) = get("cuStreamSynchronize");
  Status (*event_create)(EventHandle* event, unsigned flags) = get("cuEventCreate");
  Status (*event_destroy)(EventHandle event) = get("cuEventDestroy_v2");
  Status (*event_record)(EventHandle event, StreamHandle stream) = get("cuEventRecord");
  Status (*event_synchronize)(EventHandle event) = get("cuEventSynchronize");
  Status (*event_elapsed)(float* milliseconds, EventHandle from,
                          EventHandle to) = get("cuEventElapsedTime");

  Status (*module_load)(ModuleHandle* module, const void* image, unsigned option_count,
                        int* options, void** values) = get("cuModuleLoadDataEx");
  Status (*module_unload)(ModuleHandle module) = get("cuModuleUnload");
  Status (*module_function)(FunctionHandle* function, ModuleHandle module,
                            const char* name) = get("cuModuleGetFunction");
  Status (*function_attribute)(int* value, int attribute,
                               FunctionHandle function) = get("cuFuncGetAttribute");
  Status (*function_set_attribute)(FunctionHandle function, int attribute,
                                   int value) = get("cuFuncSetAttribute");
  /// Only drivers since 12.4 have it.
  Status (*function_parameter)(FunctionHandle function, size_t index, size_t* offset,
                               size_t* bytes) = if_there("cuFuncGetParamInfo");
  Status (*launch)(const LaunchConfig* config, FunctionHandle function, void** parameters,
                   void** extra) = get("cuLaunchKernelEx");

  /// Only drivers since 12.0 have it.
  Status (*encode_tiled)(void* map, int type, std::uint32_t rank, void* base,
                         const std::uint64_t* dims, const std::uint64_t* strides,
                         const std::uint32_t* box, const std::uint32_t* element_strides,
                         int interleave, int swizzle, int l2_promotion,
                         int oob_fill) = if_there("cuTensorMapEncodeTiled");

  /// throws  what status_exception says, unless the status is success
  void require(const char* call, Status status) const;
};

/// Throws a failed driver call: operand is the call, value the status' name, detail its text.
/// Memory that ran out is out_of_memory, a kernel that crashed launch_failed, whichever call
/// reported it; the rest is driver_failed.
[[noreturn]] void throw_status(const Driver& driver, const char* call, Status status,
                               const std::string& detail = {});

/// Opens libcuda.so.1 and fills the table.
///   throws  no_gpu: it does not open, or is too old (the functions that it lacks are named)
[[nodiscard]] std::shared_ptr<const Driver> load_driver(const base::LibraryLoader& loader,
                                                        DriverNeeds needs = DriverNeeds::one_gpu);

}  // namespace jute::driver
