#pragma once
// Instructions of warps that multiply stages which all of them keep filling: where no warpgroup has
// an instruction for the operands as they lie.
#include <jute/plan/cost/prediction.hpp>

#include <optional>
#include <vector>

#include "plan/values/candidates.hpp"

namespace jute::plan {

struct RankedWarps {
  double clocks;
  WarpTile tile;
};

/// The tiles and slices of K that suit the problem, fastest first by the model: by cp.async, or
/// through registers where that cannot bring the operands.
[[nodiscard]] std::vector<RankedWarps> ranked_warp_tiles(const KernelProblem& problem,
                                                         const DeviceInfo& device, size_t most);

/// Clocks more than are true that the models of straight kernels and of warpgroups expect of
/// theirs.
[[nodiscard]] double others_ahead_of_warps(const KernelProblem& problem);

/// Of such a candidate, with what those expect too much; none of others.
[[nodiscard]] std::optional<double> warp_tile_clocks(const Candidate& candidate,
                                                     const KernelProblem& problem,
                                                     const DeviceInfo& device);

/// Does the model speak of the step?
[[nodiscard]] bool is_warp_tile(const GemmStep& step);
[[nodiscard]] Prediction warp_tile_prediction(const GemmStep& step, const DeviceInfo& device);

}  // namespace jute::plan
