#pragma once
// The resources that blocks of an SM share: its threads, registers and shared memory.
#include <jute/base/types.hpp>
#include <jute/launch/device_info.hpp>

namespace jute::plan {

/// Blocks of an SM, which shares out threads and registers: at least one.
[[nodiscard]] double blocks_of_sm(int threads, double registers_of_thread,
                                  const DeviceInfo& device);
/// Bytes of an SM's shared memory that each block takes beside its own.
[[nodiscard]] Index reserved_smem(const DeviceInfo& device);

}  // namespace jute::plan
