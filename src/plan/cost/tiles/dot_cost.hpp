#pragma once
// What dot products take that read one large operand once.
#include <jute/plan/cost/prediction.hpp>

#include <optional>

#include "plan/values/candidates.hpp"
#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

[[nodiscard]] Prediction predicted(const DotTile& tile, const KernelProblem& problem,
                                   const DeviceInfo& device);
/// Of a step; none where lanes do not share out K.
[[nodiscard]] std::optional<Prediction> dot_prediction(const GemmStep& step,
                                                       const DeviceInfo& device);

}  // namespace jute::plan
