#pragma once
// Tiles of groups whose sizes only the device knows: what they take over sizes about the expected.
#include "plan/values/candidates.hpp"
#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

/// Clocks of a warp-specialised tile, over groups that have as many rows as is expected, fewer and
/// more. Consumers go past rows that are no group's, so that tensor cores take what tiles of 64
/// rows do.
[[nodiscard]] double clocks_of_groups(const Tile& tile, const KernelProblem& problem,
                                      const DeviceInfo& device);

}  // namespace jute::plan
