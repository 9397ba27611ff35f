#pragma once
// GEMM by thread-level multiply-adds: the family for types and chips without a tensor-core atom.
#include "plan/kernel_problem.hpp"

namespace jute::plan {

/// Chooses what the caller left open. The result may still break rules, which `check` finds.
///   throws  illegal_config: rules whose breach leaves nothing to complete
[[nodiscard]] GemmStep fma_step(const KernelProblem& problem, const DeviceInfo& device,
                                const Config& config, const Catalogue& catalogue);

}  // namespace jute::plan
