// Opens the CUDA driver and fills the table.
#include "bench/device/driver_api.hpp"

#include <jute/base/error.hpp>

#include "bench/device/shared_library.hpp"

namespace jute::bench {
namespace {

void bind_all(SharedLibrary& library, DriverApi& api) {
  library.bind(api.init, "cuInit");
  library.bind(api.error_name, "cuGetErrorName");
  library.bind(api.driver_version, "cuDriverGetVersion");
  library.bind(api.device_get, "cuDeviceGet");
  library.bind(api.device_attribute, "cuDeviceGetAttribute");
  library.bind(api.device_pci, "cuDeviceGetPCIBusId");
  library.bind(api.primary_retain, "cuDevicePrimaryCtxRetain");
  library.bind(api.primary_release, "cuDevicePrimaryCtxRelease_v2");
  library.bind(api.context_set, "cuCtxSetCurrent");
  library.bind(api.stream_create, "cuStreamCreate");
  library.bind(api.stream_destroy, "cuStreamDestroy_v2");
  library.bind(api.stream_synchronize, "cuStreamSynchronize");
  library.bind(api.begin_capture, "cuStreamBeginCapture_v2");
  library.bind(api.end_capture, "cuStreamEndCapture");
  library.bind(api.instantiate, "cuGraphInstantiateWithFlags");
  library.bind(api.graph_launch, "cuGraphLaunch");
  library.bind(api.graph_destroy, "cuGraphDestroy");
  library.bind(api.executable_destroy, "cuGraphExecDestroy");
  library.bind(api.module_load, "cuModuleLoadData");
  library.bind(api.module_unload, "cuModuleUnload");
  library.bind(api.module_function, "cuModuleGetFunction");
  library.bind(api.launch, "cuLaunchKernel");
  library.bind_if_there(api.graph_edges, "cuGraphGetEdges_v2");
  library.bind_if_there(api.remove_edges, "cuGraphRemoveDependencies_v2");
  library.bind_if_there(api.add_edges, "cuGraphAddDependencies_v2");
}

[[noreturn]] void throw_no_driver(const std::string& rule) {
  throw Exception({.code = ErrorCode::no_gpu,
                   .operand = "driver",
                   .value = "libcuda.so.1",
                   .violated_rules = {rule}});
}

}  // namespace

void DriverApi::require(const char* call, DriverStatus status) const {
  if (status == 0) return;
  const char* words = nullptr;
  if (error_name(status, &words) != 0 || words == nullptr) words = "unknown status";
  throw Exception({.code = ErrorCode::driver_failed,
                   .operand = call,
                   .value = words,
                   .violated_rules = {"the call must succeed"}});
}

DriverApi load_driver_api() {
  std::string why;
  auto library = SharedLibrary::open("libcuda.so.1", &why);
  if (!library) throw_no_driver("the library must open: " + why);
  DriverApi api;
  bind_all(*library, api);
  if (!library->missing().empty())
    throw_no_driver("the driver must be of CUDA 12 or later; it lacks " +
                    library->missing().front());
  return api;
}

}  // namespace jute::bench
