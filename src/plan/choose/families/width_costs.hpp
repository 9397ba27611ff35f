#pragma once
// Clocks of each width of a kernel's tiles, in each number of slices.
#include <jute/plan/cost/width_cost.hpp>

#include <functional>
#include <span>
#include <vector>

#include "plan/values/candidates.hpp"
#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

/// The cost of each width of such a tile, in each number of slices.
[[nodiscard]] std::vector<WidthCost> costs_of_tile(const Tile& tile, const KernelProblem& problem,
                                                   const DeviceInfo& device);
/// The costs of these widths, each of which has place for so many stages: few do not hide how long
/// a k-tile takes to come, and of none there is no tile.
[[nodiscard]] std::vector<WidthCost> costs_of_tile(const Tile& tile, const KernelProblem& problem,
                                                   const DeviceInfo& device,
                                                   std::span<const int> widths,
                                                   const std::function<int(int)>& stages_of);

}  // namespace jute::plan
