// The racing device.
#include "race/device/gpu.hpp"

#include <jute/base/refuse.hpp>

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

[[noreturn]] void throw_no_driver(const std::string& rule) {
  refuse(ErrorCode::no_gpu, "driver", "libcuda.so.1", rule);
}

}  // namespace

void DriverApi::require(const char* call, DriverStatus status) const {
  if (status == 0) return;
  const char* words = nullptr;
  if (error_name(status, &words) != 0 || words == nullptr) words = "unknown status";
  refuse(ErrorCode::driver_failed, call, words, "the call must succeed");
}

DriverApi load_driver_api() {
  std::string why;
  auto library = SharedLibrary::open("libcuda.so.1", &why);
  if (!library) throw_no_driver("the library must open: " + why);
  DriverApi api(*std::move(library));
  if (!api.missing().empty())
    throw_no_driver("the driver must be of CUDA 12 or later; it lacks " + api.missing().front());
  return api;
}

std::optional<SharedLibrary> SharedLibrary::open(const std::string& path, std::string* why) {
  void* handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle != nullptr) return SharedLibrary(handle);
  const char* words = ::dlerror();
  if (why != nullptr) *why = words == nullptr ? "" : words;
  return std::nullopt;
}

SharedLibrary::Symbol SharedLibrary::if_there(const char* name) const {
  return {::dlsym(handle_, name)};
}

std::string SharedLibrary::path() const {
  link_map* map = nullptr;
  if (::dlinfo(handle_, RTLD_DI_LINKMAP, &map) != 0 || map == nullptr) return {};
  return map->l_name;
}

}  // namespace jute::bench
