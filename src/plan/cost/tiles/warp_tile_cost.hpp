#pragma once
// What tiles take that warps copy and multiply.
#include <jute/plan/cost/prediction.hpp>

#include <limits>
#include <optional>

#include "plan/shapes/warp_tiles.hpp"
#include "plan/values/candidates.hpp"
#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

/// What does not depend on how K is cut.
struct UncutWarpTile {
  double tiles, resident;  ///< blocks, and those of an SM at once
  double memory;
  double products, feed;  ///< of a block's k-tile
};
[[nodiscard]] UncutWarpTile uncut(const WarpTileWork& work, const KernelProblem& problem,
                                  const DeviceInfo& device);
/// Slices of K, and the tiles that they leave whole.
struct TileCut {
  int slices = 1;
  Index whole_tiles = 0;
};
/// Beyond `limit` no more than that is sure of its clocks.
[[nodiscard]] Prediction predicted(const WarpTileWork& work, const UncutWarpTile& whole,
                                   const TileCut& cut, const KernelProblem& problem,
                                   const DeviceInfo& device,
                                   double limit = std::numeric_limits<double>::infinity());

/// Clocks more than are true that the models of straight kernels and of warpgroups expect of
/// theirs.
[[nodiscard]] double others_ahead_of_warps(const KernelProblem& problem);

/// Of such a candidate, with what those expect too much; none of others.
[[nodiscard]] std::optional<double> warp_tile_clocks(const Candidate& candidate,
                                                     const KernelProblem& problem,
                                                     const DeviceInfo& device);

}  // namespace jute::plan
