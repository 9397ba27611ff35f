// The facts of a chip.
#include <jute/plan/values/fields.hpp>

#include "base/format.hpp"

namespace jute {

Fields fields(const DeviceInfo& device) {
  return {{"name", device.name},
          {"arch", to_string(device.arch)},
          {"sm_count", Index{device.sm_count}},
          {"smem_bytes_per_block", Index{device.smem_bytes_per_block}},
          {"smem_bytes_per_sm", Index{device.smem_bytes_per_sm}},
          {"registers_per_sm", Index{device.registers_per_sm}},
          {"threads_per_sm", Index{device.threads_per_sm}},
          {"l2_bytes", device.l2_bytes},
          {"memory_bytes", device.memory_bytes}};
}

std::string line_of(const DeviceInfo& device) {
  return base::format(
      "{} {} {} SMs, shared memory {} a block and {} an SM, {} registers, {} threads, L2 {}, "
      "memory {}",
      device.name, to_string(device.arch), device.sm_count, device.smem_bytes_per_block,
      device.smem_bytes_per_sm, device.registers_per_sm, device.threads_per_sm, device.l2_bytes,
      device.memory_bytes);
}

}  // namespace jute
