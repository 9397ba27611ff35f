// Divides what an SM has by what a block takes.
#include "plan/chip/residency.hpp"

#include <algorithm>
#include <cmath>

namespace jute::plan {

double blocks_of_sm(int threads, double registers_of_thread, const DeviceInfo& device) {
  const double most =
      std::min<double>(device.threads_per_sm, device.registers_per_sm / registers_of_thread);
  return std::max(std::floor(most / threads), 1.0);
}

// Bytes of an SM's shared memory that no block can have.
Index reserved_smem(const DeviceInfo& device) {
  return device.smem_bytes_per_sm - device.smem_bytes_per_block;
}

}  // namespace jute::plan
