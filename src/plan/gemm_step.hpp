#pragma once
// What every family of GEMM kernels shares: a step begun from the problem, and completed from its
// tile, its TiledMma and its shared-memory layouts.
#include "plan/kernel_problem.hpp"

namespace jute::plan {

/// Everything that follows from the problem alone.
[[nodiscard]] GemmStep step_for(const KernelProblem& problem, const DeviceInfo& device,
                                const Config& config);

/// Everything that follows from tile, mma, stages and the shared-memory layouts: copy layouts,
/// access widths, bytes, the kernel's name.
///   throws  illegal_config: every rule that keeps a part from being derived
void complete_step(GemmStep& step, const KernelProblem& problem, const DeviceInfo& device);

}  // namespace jute::plan
