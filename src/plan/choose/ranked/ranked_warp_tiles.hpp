#pragma once
// Tiles that warps copy and multiply, fastest first.
#include <vector>

#include "plan/values/candidates.hpp"
#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

/// The tiles and slices of K that suit the problem, fastest first by the model: by cp.async, or
/// through registers where that cannot bring the operands. None that takes `limit` or more.
[[nodiscard]] std::vector<RankedTile> ranked_warp_tiles(const KernelProblem& problem,
                                                        const DeviceInfo& device, size_t most,
                                                        double limit);

}  // namespace jute::plan
