#pragma once
// How chips differ from the one whose clocks the models of kernels without wgmma were fitted to.
#include <jute/base/arch.hpp>
#include <jute/base/types.hpp>
#include <jute/launch/device_info.hpp>

namespace jute::plan {

/// Clocks that tensor cores of an SM take by mma.sync, for one of an H200's.
[[nodiscard]] double slowness_of_tensor_cores(DType type, Arch arch);
/// Likewise threads for a multiply-add of f32.
[[nodiscard]] double slowness_of_threads(Arch arch);
/// Bytes that the chip's memory moves in a clock.
[[nodiscard]] double memory_rate(const DeviceInfo& device);

}  // namespace jute::plan
