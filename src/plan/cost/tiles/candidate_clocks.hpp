#pragma once
// What a candidate that nobody ranked is expected to take.
#include "plan/values/candidates.hpp"
#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

/// By tiles that lie in shared memory.
[[nodiscard]] double candidate_clocks(const Candidate& candidate, const KernelProblem& problem,
                                      const DeviceInfo& device);

}  // namespace jute::plan
