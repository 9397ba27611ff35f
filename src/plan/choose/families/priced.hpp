#pragma once
// Prices of blocks by the law, for a kernel's problem.
#include <jute/plan/cost/kernel_cost.hpp>

#include "plan/cost/law.hpp"
#include "plan/shapes/tile_block.hpp"
#include "plan/shapes/warpgroups/warpgroup_block.hpp"
#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

[[nodiscard]] inline FamilyLaw law_of(Family family, MmaForm form, const KernelProblem& problem,
                                      const DeviceInfo& device) {
  return law_of(family, form, problem.a.type, problem.accumulate, device);
}
/// The cost of a tile of warpgroups.
[[nodiscard]] inline KernelCost tile_cost(const Tile& tile, const KernelProblem& problem,
                                          const DeviceInfo& device) {
  const Block block = warpgroup_block(tile, problem, device);
  return {block,
          grid_of(block, problem),
          cut_of(tile),
          law_of(Family::warpgroups, MmaForm::wgmma_ss, problem, device),
          {}};
}
[[nodiscard]] inline Prediction expected_of(const KernelCost& cost) {
  return clocks(cost.block, cost.grid, cost.cut, cost.law.rates, cost.law.of);
}

}  // namespace jute::plan
