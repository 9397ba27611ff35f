// The racing device.
#include "bench/device/gpu.hpp"

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
  // What a driver does not tell stays 0, unknown.
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

}  // namespace jute::bench
