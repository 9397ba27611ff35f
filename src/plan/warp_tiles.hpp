#pragma once
// Instructions of warps that multiply stages which all of them keep filling: f64, for which no
// warpgroup has one.
#include <jute/plan/prediction.hpp>

#include <vector>

#include "plan/candidates.hpp"

namespace jute::plan {

struct RankedWarps {
  double clocks;
  WarpTile tile;
};

/// The tiles that suit the problem, fastest first by the model; none of other types, or where
/// cp.async does not bring the operands.
[[nodiscard]] std::vector<RankedWarps> ranked_warp_tiles(const KernelProblem& problem,
                                                         const DeviceInfo& device, size_t most);

/// Does the model speak of the step?
[[nodiscard]] bool is_warp_tile(const GemmStep& step);
[[nodiscard]] Prediction warp_tile_prediction(const GemmStep& step, const DeviceInfo& device);

}  // namespace jute::plan
