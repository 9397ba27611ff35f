#pragma once
// What a block does of a candidate's tile, by its family.
#include <jute/plan/values/block.hpp>

#include "plan/values/candidates.hpp"
#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

/// Of a family that brings tiles to shared memory, but for warpgroups.
[[nodiscard]] Block block_of(const Candidate& candidate, const KernelProblem& problem,
                             const DeviceInfo& device);

}  // namespace jute::plan
