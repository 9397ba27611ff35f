#pragma once
// How chips differ from the one whose clocks the models of kernels without wgmma were fitted to.
#include <jute/base/arch.hpp>
#include <jute/base/types.hpp>

namespace jute::plan {

/// Clocks that tensor cores of an SM take by mma.sync, for one of an H200's.
[[nodiscard]] double slowness_of_tensor_cores(DType type, Arch arch);
/// Likewise threads for a multiply-add of f32.
[[nodiscard]] double slowness_of_threads(Arch arch);
/// Bytes that memory moves in a clock, for each SM.
[[nodiscard]] double memory_rate(Arch arch);

}  // namespace jute::plan
