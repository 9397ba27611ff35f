#pragma once
// What each width of a kernel's tiles is expected to take, in each number of slices.
#include <jute/plan/cost/width_cost.hpp>

#include <functional>
#include <span>
#include <vector>

#include "plan/values/candidates.hpp"
#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

/// What each width of such a tile is expected to take, in each number of slices.
[[nodiscard]] std::vector<WidthCost> costs_of_tile(const Tile& tile, const KernelProblem& problem,
                                                   const DeviceInfo& device);
/// Of these widths, each of which has place for so many stages: few do not hide how long a k-tile
/// takes to come, and of none there is no tile.
[[nodiscard]] std::vector<WidthCost> costs_of_tile(const Tile& tile, const KernelProblem& problem,
                                                   const DeviceInfo& device,
                                                   std::span<const int> widths,
                                                   const std::function<int(int)>& stages_of);

}  // namespace jute::plan
