#pragma once
// The kernels whose operands come straight from global memory, where they are the ones to take.
#include <vector>

#include "plan/choose/staged_cost.hpp"
#include "plan/values/candidates.hpp"
#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

/// Where they are asked for, of every atom; else of the first, where the model expects less of them
/// than of all others.
[[nodiscard]] std::vector<Candidate> straight_rows(const KernelProblem& problem,
                                                   const DeviceInfo& device, const Config& config,
                                                   const std::vector<MmaAtom>& atoms,
                                                   BestStaged& staged, Others others);

/// Without tensor cores: the best of them by the model. None where problems share kernels: each
/// would be one more.
[[nodiscard]] std::vector<Candidate> lane_rows(const MmaAtom& atom, const KernelProblem& problem,
                                               const DeviceInfo& device, const Config& config);

}  // namespace jute::plan
