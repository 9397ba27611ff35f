#pragma once
// GEMM by warps that multiply what another warp keeps loading by TMA.
#include "plan/derive/gemm_step.hpp"
#include "plan/values/candidates.hpp"
#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

/// Chooses what caller and candidate left open, and derives the rest.
[[nodiscard]] Derived warp_specialised_step(const KernelProblem& problem,
                                            const Candidate& candidate, const DeviceInfo& device,
                                            const Config& config, const Catalogue& catalogue);

/// Everything that follows from the step's choices, but for addresses and places in memory: roles,
/// launch, accesses, signals, parameters, the kernel's name.
void complete_specialised(GemmStep& step, const KernelProblem& problem);

}  // namespace jute::plan
