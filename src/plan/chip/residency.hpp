#pragma once
// Shared memory of an SM that its blocks share.
#include <jute/base/types.hpp>
#include <jute/launch/device_info.hpp>

namespace jute::plan {

/// Bytes of an SM's shared memory that each block takes beside its own: no block can have them.
[[nodiscard]] inline Index reserved_smem(const DeviceInfo& device) {
  return device.smem_bytes_per_sm - device.smem_bytes_per_block;
}

}  // namespace jute::plan
