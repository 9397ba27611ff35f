#pragma once
// What tiles take that a producer loads, and threads multiply.
#include <jute/plan/cost/prediction.hpp>

#include "plan/shapes/thread_groups.hpp"
#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

/// What does not depend on how K is cut: k-tiles, and who computes them.
[[nodiscard]] Prediction whole_thread_group(const ThreadGroupWork& work,
                                            const KernelProblem& problem);
/// In so many slices.
[[nodiscard]] Prediction with_slices(Prediction result, const ThreadGroupWork& work, int slices,
                                     const KernelProblem& problem, const DeviceInfo& device);

}  // namespace jute::plan
