#pragma once
// GEMM by multiply-adds of single threads: for types and chips without a tensor-core instruction.
#include "plan/derive/gemm_step.hpp"
#include "plan/values/candidates.hpp"
#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

/// Chooses what caller and candidate left open, and derives the rest.
[[nodiscard]] Derived fma_step(const KernelProblem& problem, const Candidate& candidate,
                               const DeviceInfo& device, const Config& config);

}  // namespace jute::plan
