#pragma once
// The tile of warps whose threads multiply by themselves what a producer loads.
#include <optional>

#include "plan/candidates.hpp"

namespace jute::plan {

/// With so many slices of K as fill the last round of its blocks. None where chip or rows do not
/// suit it, or the problem does not half fill it and the caller does not ask for its main loop.
[[nodiscard]] std::optional<GroupTile> thread_groups(const KernelProblem& problem,
                                                     const DeviceInfo& device,
                                                     const Config& config);

}  // namespace jute::plan
