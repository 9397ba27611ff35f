#pragma once
// Tiles that threads copy and multiply, fastest first.
#include <vector>

#include "plan/values/candidates.hpp"
#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

/// The tiles that suit the problem, fastest first by the model; none where threads must copy
/// through registers.
[[nodiscard]] std::vector<RankedTile> ranked_thread_tiles(const KernelProblem& problem,
                                                          const DeviceInfo& device, size_t most);

}  // namespace jute::plan
