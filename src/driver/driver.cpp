// Opens the CUDA driver, fills its table, and turns its statuses into Errors.
#include "driver/driver.hpp"

#include <jute/base/error.hpp>
#include <jute/base/nearest_name.hpp>

namespace jute::driver {
namespace {

/// Errors of a kernel that ran; they stick to the context and surface at any later call.
bool is_launch_failure(Status status) {
  return status == kIllegalAddress || status == kLaunchTimeout || status == kAssert ||
         (status >= kHardwareStackError && status <= kLaunchFailed);
}

ErrorCode code_of(Status status) {
  if (status == kOutOfMemory) return ErrorCode::out_of_memory;
  return is_launch_failure(status) ? ErrorCode::launch_failed : ErrorCode::driver_failed;
}

std::string text_or_number(Status (*describe)(Status, const char**), Status status) {
  const char* text = nullptr;
  if (describe(status, &text) != kSuccess || text == nullptr)
    return "CUDA status " + std::to_string(status);
  return text;
}

void bind_all(base::Binder& binder, Driver& driver) {
  binder.bind(driver.init, "cuInit");
  binder.bind(driver.driver_version, "cuDriverGetVersion");
  binder.bind(driver.error_name, "cuGetErrorName");
  binder.bind(driver.error_text, "cuGetErrorString");
  binder.bind(driver.device_count, "cuDeviceGetCount");
  binder.bind(driver.device_get, "cuDeviceGet");
  binder.bind(driver.device_name, "cuDeviceGetName");
  binder.bind(driver.device_attribute, "cuDeviceGetAttribute");
  binder.bind(driver.device_memory, "cuDeviceTotalMem_v2");
  binder.bind(driver.primary_retain, "cuDevicePrimaryCtxRetain");
  binder.bind(driver.primary_release, "cuDevicePrimaryCtxRelease_v2");
  binder.bind(driver.context_current, "cuCtxGetCurrent");
  binder.bind(driver.context_push, "cuCtxPushCurrent_v2");
  binder.bind(driver.context_pop, "cuCtxPopCurrent_v2");
  binder.bind(driver.context_device, "cuCtxGetDevice");
  binder.bind(driver.context_synchronize, "cuCtxSynchronize");
  binder.bind(driver.memory_alloc, "cuMemAlloc_v2");
  binder.bind(driver.memory_free, "cuMemFree_v2");
  binder.bind(driver.memory_info, "cuMemGetInfo_v2");
  binder.bind(driver.copy_in, "cuMemcpyHtoDAsync_v2");
  binder.bind(driver.copy_out, "cuMemcpyDtoHAsync_v2");
  binder.bind(driver.fill, "cuMemsetD8Async");
  binder.bind(driver.stream_create, "cuStreamCreate");
  binder.bind(driver.stream_destroy, "cuStreamDestroy_v2");
  binder.bind(driver.stream_synchronize, "cuStreamSynchronize");
  binder.bind(driver.event_create, "cuEventCreate");
  binder.bind(driver.event_destroy, "cuEventDestroy_v2");
  binder.bind(driver.event_record, "cuEventRecord");
  binder.bind(driver.event_synchronize, "cuEventSynchronize");
  binder.bind(driver.event_elapsed, "cuEventElapsedTime");
  binder.bind(driver.module_load, "cuModuleLoadDataEx");
  binder.bind(driver.module_unload, "cuModuleUnload");
  binder.bind(driver.module_function, "cuModuleGetFunction");
  binder.bind(driver.function_attribute, "cuFuncGetAttribute");
  binder.bind(driver.function_set_attribute, "cuFuncSetAttribute");
  binder.bind(driver.launch, "cuLaunchKernelEx");
  binder.bind_if_there(driver.function_parameter, "cuFuncGetParamInfo");
  binder.bind_if_there(driver.encode_tiled, "cuTensorMapEncodeTiled");
}

/// Tells of what is missing where it is needed.
void bind_between_gpus(base::Binder& binder, Driver& driver, DriverNeeds needs) {
  const auto bind = [&](auto& slot, const char* name) {
    needs == DriverNeeds::several_gpus ? binder.bind(slot, name) : binder.bind_if_there(slot, name);
  };
  bind(driver.can_access_peer, "cuDeviceCanAccessPeer");
  bind(driver.enable_peer, "cuCtxEnablePeerAccess");
  bind(driver.host_alloc, "cuMemHostAlloc");
  bind(driver.host_free, "cuMemFreeHost");
  bind(driver.copy, "cuMemcpyDtoDAsync_v2");
  bind(driver.copy_2d, "cuMemcpy2DAsync_v2");
  bind(driver.stream_wait, "cuStreamWaitEvent");
  bind(driver.event_query, "cuEventQuery");
  binder.bind_if_there(driver.write_word, "cuStreamWriteValue32_v2");
}

[[noreturn]] void throw_no_driver(std::string rule) {
  throw Exception({.code = ErrorCode::no_gpu,
                   .operand = "driver",
                   .value = "libcuda.so.1",
                   .violated_rules = {std::move(rule)},
                   .detail = "The library comes with NVIDIA's driver; kernels also run without a "
                             "GPU, on the emulator.\n"});
}

}  // namespace

void throw_status(const Driver& driver, const char* call, Status status,
                  const std::string& detail) {
  std::string text = text_or_number(driver.error_text, status);
  if (!detail.empty()) text += "\n" + detail;
  throw Exception({.code = code_of(status),
                   .operand = call,
                   .value = text_or_number(driver.error_name, status),
                   .violated_rules = {is_launch_failure(status) ? "the kernel must run to its end"
                                                                : "the call must succeed"},
                   .detail = std::move(text)});
}

void Driver::require(const char* call, Status status) const {
  if (status != kSuccess) throw_status(*this, call, status);
}

std::shared_ptr<const Driver> load_driver(const base::LibraryLoader& loader, DriverNeeds needs) {
  void* library = loader.open("libcuda.so.1");
  if (library == nullptr) throw_no_driver("the library must open: " + loader.error());
  auto driver = std::make_shared<Driver>();
  base::Binder binder(library, loader);
  bind_all(binder, *driver);
  bind_between_gpus(binder, *driver, needs);
  if (!binder.missing().empty())
    throw_no_driver("the driver is of CUDA 12 or later; it lacks " + joined(binder.missing()));
  return driver;
}

}  // namespace jute::driver
