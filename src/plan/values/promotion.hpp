#pragma once
// Sums that the tensor core forms with few bits, or cuts, and threads add in full.
#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

/// e4m3 or e5m2.
[[nodiscard]] bool is_small_float(DType type);

/// Of k, how much a wgmma kernel of such k-tiles sums before threads add the sum: what 8-bit floats
/// and terms of f32 need; 0 where an accumulator holds the whole sum.
[[nodiscard]] int usual_promotion(const KernelProblem& problem, int tile_k = 128);
/// Likewise, but for the caller's choice.
[[nodiscard]] int promotion(const KernelProblem& problem, const Config& config, int tile_k = 128);

}  // namespace jute::plan
