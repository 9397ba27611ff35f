#pragma once
// Tiles whose threads multiply what they load straight from global memory, fastest first.
#include <vector>

#include "plan/values/candidates.hpp"
#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

/// The tiles that suit the problem, fastest first by the model.
[[nodiscard]] std::vector<RankedTile> ranked_lane_tiles(const KernelProblem& problem,
                                                        const DeviceInfo& device, size_t most);

/// What no tile of lanes does better than: its multiply-adds.
[[nodiscard]] double least_lane_clocks(const KernelProblem& problem, const DeviceInfo& device);

}  // namespace jute::plan
