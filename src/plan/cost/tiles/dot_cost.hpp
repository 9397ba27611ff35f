#pragma once
// What dot products take that read one large operand once.
#include <jute/plan/cost/prediction.hpp>

#include <optional>

#include "plan/cost/tiles/row_scale.hpp"
#include "plan/shapes/dot_products.hpp"
#include "plan/values/candidates.hpp"
#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

/// Of so many lines of the large operand and rows of the other, elements of which have `width`
/// bytes.
[[nodiscard]] Prediction predicted(const DotWork& work, Index lines, Index rows, Index k,
                                   Index batch, int width, const DeviceInfo& device,
                                   const RowScale& scale);
[[nodiscard]] Prediction predicted(const DotTile& tile, const KernelProblem& problem,
                                   const DeviceInfo& device, const RowScale& scale);
/// Likewise, of which nothing else is asked.
[[nodiscard]] Prediction predicted(const DotTile& tile, const KernelProblem& problem,
                                   const DeviceInfo& device);

}  // namespace jute::plan
