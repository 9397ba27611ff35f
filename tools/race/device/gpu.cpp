// The racing device.
#include "race/device/gpu.hpp"

#include <jute/base/error.hpp>

#include <dlfcn.h>
#include <link.h>

#include <array>

namespace jute::bench {

Gpu::Gpu() : api_(load_driver_api()) {
  api_.require("cuInit", api_.init(0));
  api_.require("cuDeviceGet", api_.device_get(&device_, 0));
  api_.require("cuDevicePrimaryCtxRetain", api_.primary_retain(&context_, device_));
  api_.require("cuCtxSetCurrent", api_.context_set(context_));
  api_.require("cuStreamCreate", api_.stream_create(&stream_, kStreamNonBlocking));
}

Gpu::~Gpu() {
  // A failure here has nobody to go to.
  if (stream_ != nullptr) (void)api_.stream_destroy(stream_);
  if (context_ != nullptr) (void)api_.primary_release(device_);
}

void Gpu::synchronize() const {
  api_.require("cuStreamSynchronize", api_.stream_synchronize(stream_));
}

std::string Gpu::pci_bus() const {
  std::array<char, 32> text{};
  api_.require("cuDeviceGetPCIBusId",
               api_.device_pci(text.data(), static_cast<int>(text.size()), device_));
  return text.data();
}

Machine Gpu::machine(const DeviceInfo& info) const {
  int version = 0, khz = 0, memory_khz = 0, bus_bits = 0;
  api_.require("cuDriverGetVersion", api_.driver_version(&version));
  // Facts that a driver does not tell stay 0, unknown.
  (void)api_.device_attribute(&khz, kClockKhz, device_);
  (void)api_.device_attribute(&memory_khz, kMemoryClockKhz, device_);
  (void)api_.device_attribute(&bus_bits, kMemoryBusBits, device_);
  constexpr double kTransfersPerClock = 2;  // double data rate
  return {.device = info.name,
          .driver = std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10),
          .cublas = {},
          .arch = info.arch.number,
          .sm_count = info.sm_count,
          .peak_mhz = khz * 1e-3,
          .bytes_per_second = kTransfersPerClock * memory_khz * 1e3 * bus_bits / 8};
}

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

std::optional<SharedLibrary> SharedLibrary::open(const std::string& path, std::string* why) {
  void* handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle != nullptr) return SharedLibrary(handle);
  const char* words = ::dlerror();
  if (why != nullptr) *why = words == nullptr ? "" : words;
  return std::nullopt;
}

void* SharedLibrary::symbol(const char* name) const { return ::dlsym(handle_, name); }

std::string SharedLibrary::path() const {
  link_map* map = nullptr;
  if (::dlinfo(handle_, RTLD_DI_LINKMAP, &map) != 0 || map == nullptr) return {};
  return map->l_name;
}

}  // namespace jute::bench
