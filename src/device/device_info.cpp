// Devices: how many there are, and what each offers.
#include <jute/base/error.hpp>
#include <jute/base/refuse.hpp>
#include <jute/device/device.hpp>

#include <array>
#include <cstring>

#include "base/format.hpp"
#include "device/context.hpp"

namespace jute::device {
namespace {

int attribute(const Driver& driver, DeviceAttribute which, DeviceOrdinal device) {
  int value = 0;
  driver.require("cuDeviceGetAttribute", driver.device_attribute(&value, which, device));
  return value;
}

/// The architecture whose code a device runs: its own with the suffix `a` where it has instructions
/// of its own, else the newest plain one of its generation (12.1 runs sm_120), else the newest that
/// is older, from whose PTX the driver compiles.
Arch arch_of(int major, int minor) {
  const int number = major * 10 + minor;
  Arch best;
  for (const Arch arch : known_arches()) {
    if (arch.number == number && arch.suffix == 'a') return arch;
    if (arch.suffix == '\0' && arch.number <= number) best = arch;
  }
  return best == Arch{} ? Arch{number} : best;
}

}  // namespace

DeviceOrdinal find_device(const Driver& driver, int ordinal) {
  int count = 0;
  driver.require("cuDeviceGetCount", driver.device_count(&count));
  if (ordinal < 0 || ordinal >= count)
    jute::refuse(
        ErrorCode::no_gpu, "device", std::to_string(ordinal),
        base::format("it must be one of the driver's {} device{}", count, count == 1 ? "" : "s"),
        count == 0 ? std::optional<std::string>() : std::to_string(ordinal < 0 ? 0 : count - 1));
  DeviceOrdinal device = 0;
  driver.require("cuDeviceGet", driver.device_get(&device, ordinal));
  return device;
}

DeviceInfo read_device_info(const Driver& driver, DeviceOrdinal device) {
  std::array<char, 256> name{};
  driver.require("cuDeviceGetName",
                 driver.device_name(name.data(), static_cast<int>(name.size()), device));
  size_t memory_bytes = 0;
  driver.require("cuDeviceTotalMem", driver.device_memory(&memory_bytes, device));
  const auto read = [&](DeviceAttribute which) { return attribute(driver, which, device); };
  return {.name = std::string(name.data(), ::strnlen(name.data(), name.size())),
          .arch = arch_of(read(kComputeCapabilityMajor), read(kComputeCapabilityMinor)),
          .sm_count = read(kMultiprocessorCount),
          .smem_bytes_per_block = read(kMaxSmemPerBlockOptin),
          .smem_bytes_per_sm = read(kMaxSmemPerMultiprocessor),
          .registers_per_sm = read(kMaxRegistersPerMultiprocessor),
          .threads_per_sm = read(kMaxThreadsPerMultiprocessor),
          .l2_bytes = read(kL2CacheBytes),
          .memory_bytes = static_cast<Index>(memory_bytes)};
}

}  // namespace jute::device
