#pragma once
// What tiles take that a producer loads, and warps multiply.
#include <jute/plan/cost/prediction.hpp>

#include <optional>

#include "plan/shapes/warp_groups.hpp"
#include "plan/values/candidates.hpp"
#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

[[nodiscard]] Prediction predicted(const WarpGroupWork& work, int slices,
                                   const KernelProblem& problem, const DeviceInfo& device);

/// Of such a candidate, with what others expect too much; none of others.
[[nodiscard]] std::optional<double> warp_group_clocks(const Candidate& candidate,
                                                      const KernelProblem& problem,
                                                      const DeviceInfo& device);

}  // namespace jute::plan
