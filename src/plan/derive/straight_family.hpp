#pragma once
// Kernels whose fragments come straight from global memory: small problems, rows that begin
// anywhere.
#include "plan/derive/gemm_step.hpp"
#include "plan/shapes/direct/straight_form.hpp"
#include "plan/values/candidates.hpp"
#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

/// The step of a candidate, or the rules that it breaks.
[[nodiscard]] Derived straight_step(const KernelProblem& problem, const Candidate& candidate,
                                    const StraightForm& choice, const DeviceInfo& device,
                                    const Config& config);

/// Everything that follows from tile, mma and schedule.
void complete_straight(GemmStep& step, const KernelProblem& problem);

/// The rules of warps that share out K, of what is loaded ahead and of launches.
[[nodiscard]] Errors straight_rules(const GemmStep& step);

}  // namespace jute::plan
