#pragma once
// Ways to deal a large operand to lanes, fastest first.
#include <vector>

#include "plan/values/candidates.hpp"
#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

/// The ways that suit the problem, fastest first by the model; those of the short list where
/// kernels are shared; empty where D has more than a few rows and columns, or its outputs are of
/// many elements.
[[nodiscard]] std::vector<RankedTile> ranked_dot_tiles(const KernelProblem& problem,
                                                       const DeviceInfo& device, size_t most,
                                                       Specialize specialize = Specialize::usual);

}  // namespace jute::plan
