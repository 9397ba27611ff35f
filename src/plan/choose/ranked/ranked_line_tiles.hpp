#pragma once
// Ways to deal the lines of a large operand, fastest first.
#include <vector>

#include "plan/values/candidates.hpp"
#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

/// Those of the first tensor-core instruction and of multiply-adds, fastest first by the model.
[[nodiscard]] std::vector<RankedCandidate> ranked_line_tiles(const KernelProblem& problem,
                                                             const DeviceInfo& device,
                                                             const std::vector<MmaAtom>& atoms,
                                                             size_t most);

}  // namespace jute::plan
