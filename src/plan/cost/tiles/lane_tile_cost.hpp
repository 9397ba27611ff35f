#pragma once
// What kernels take whose threads multiply what they load straight from global memory.
#include <jute/plan/cost/prediction.hpp>

#include "plan/cost/tiles/row_scale.hpp"
#include "plan/shapes/lane_tiles.hpp"
#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

[[nodiscard]] Prediction predicted(const LaneTileWork& work, Index m, Index n, Index k, Index batch,
                                   const DeviceInfo& device, const RowScale& scale);

/// What none of them can do better than: their multiply-adds.
[[nodiscard]] double least_lane_clocks(const KernelProblem& problem, const DeviceInfo& device);

}  // namespace jute::plan
