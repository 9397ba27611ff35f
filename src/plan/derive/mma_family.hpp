#pragma once
// GEMM by warp-level tensor-core instructions (mma.sync).
#include "plan/derive/gemm_step.hpp"
#include "plan/values/candidates.hpp"
#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

/// Chooses what caller and candidate left open, and derives the rest.
[[nodiscard]] Derived mma_step(const KernelProblem& problem, const Candidate& candidate,
                               const DeviceInfo& device, const Config& config,
                               const Catalogue& catalogue);

}  // namespace jute::plan
