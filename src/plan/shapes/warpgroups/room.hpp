#pragma once
// Room on an SM for a block of the next kernel beside one of this.
#include "plan/values/candidates.hpp"
#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

/// Shared memory of each of two blocks that lie on an SM.
[[nodiscard]] Index half_of_sm(const DeviceInfo& device);

/// Stages with which a block leaves half of an SM to another, in registers as well; 0 where they
/// would be too few, for blocks of a cluster or of slices, who wait for each other anyway, and
/// where the launch says how many there are.
[[nodiscard]] int stages_of_half(const Tile& tile, const KernelProblem& problem,
                                 const DeviceInfo& device);

}  // namespace jute::plan
