// The facts of a chip.
#include <jute/plan/values/fields.hpp>

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

}  // namespace jute
