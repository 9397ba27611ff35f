#pragma once
// A block's work for a candidate's tile, by its family.
#include <jute/plan/cost/kernel_cost.hpp>
#include <jute/plan/values/block.hpp>

#include "plan/values/candidates.hpp"
#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

/// As is expected before a step is derived: of warpgroups of the problem that their kernel sees.
[[nodiscard]] Block block_of(Family family, const MmaAtom& atom, const Tile& tile,
                             const KernelProblem& problem, const DeviceInfo& device);
/// The cost of a candidate, for whatever rows, without copies ahead of it.
[[nodiscard]] KernelCost cost_of(const Candidate& candidate, const KernelProblem& problem,
                                 const DeviceInfo& device);

}  // namespace jute::plan
