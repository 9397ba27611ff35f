#pragma once
// What kernels take that read the lines of a large operand once.
#include <jute/plan/cost/prediction.hpp>

#include <optional>

#include "plan/cost/tiles/row_scale.hpp"
#include "plan/shapes/line_tiles.hpp"

namespace jute::plan {

[[nodiscard]] Prediction predicted(const LineWork& work, Index lines, Index rows, Index k,
                                   Index batch, const DeviceInfo& device, const RowScale& scale);

}  // namespace jute::plan
