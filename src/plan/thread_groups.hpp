#pragma once
// Tiles of warps whose threads multiply by themselves what a producer loads.
#include "plan/candidates.hpp"

namespace jute::plan {

/// Those that suit chip and rows, best first: by what an SM computes one after the other. None that
/// the problem does not half fill, unless the caller asks for their main loop.
[[nodiscard]] std::vector<GroupTile> thread_groups(const KernelProblem& problem,
                                                   const DeviceInfo& device, const Config& config);

}  // namespace jute::plan
