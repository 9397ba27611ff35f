#pragma once
// A candidate derived, by whichever family it is of.
#include "plan/choose/planning.hpp"
#include "plan/derive/gemm_step.hpp"

namespace jute::plan {

/// The problem that a kernel is chosen for, as that kernel sees it.
[[nodiscard]] KernelProblem as_kernels_see(const KernelProblem& problem, const Config& config);

/// The step of a candidate, or every rule that it breaks.
[[nodiscard]] Derived derived(const Planning& planning, const Options& options,
                              const Candidate& candidate);

}  // namespace jute::plan
