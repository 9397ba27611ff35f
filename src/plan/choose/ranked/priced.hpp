#pragma once
// What the law says of blocks of a kernel's problem.
#include "plan/cost/law.hpp"
#include "plan/shapes/tile_block.hpp"
#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

[[nodiscard]] inline FamilyLaw law_of(Family family, MmaForm form, const KernelProblem& problem,
                                      const DeviceInfo& device) {
  return law_of(family, form, problem.a.type, problem.accumulate, device);
}
/// Clocks.
[[nodiscard]] inline double price_of(const Block& block, const KernelProblem& problem,
                                     const FamilyLaw& law, const Cut& cut = {}) {
  return clocks(block, grid_of(block, problem), cut, law.rates, law.of).clocks;
}

}  // namespace jute::plan
