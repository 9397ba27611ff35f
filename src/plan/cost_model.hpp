#pragma once
// What a warp-specialised kernel is expected to take: cheap numbers that candidates are ranked by.
#include <jute/plan/prediction.hpp>

#include <optional>
#include <vector>

#include "plan/candidates.hpp"

namespace jute::plan {

/// What the model makes of a tile. The constants were measured on an H200; ratios between tiles of
/// one problem are what counts.
[[nodiscard]] KernelCost kernel_cost(const GroupTile& tile, const KernelProblem& problem,
                                     const DeviceInfo& device);

/// Likewise of a candidate; none of multiply-adds of threads.
[[nodiscard]] std::optional<KernelCost> kernel_cost(const Candidate& candidate,
                                                    const KernelProblem& problem,
                                                    const DeviceInfo& device);

/// Likewise of a step; none where it is not warp-specialised, or threads multiply by themselves.
[[nodiscard]] std::optional<KernelCost> kernel_cost(const GemmStep& step, const DeviceInfo& device);

/// Tiles that cover all matrices; as a number that no extents make overflow.
[[nodiscard]] double tiles_of(const TileShape& tile, Index m, Index n, Index batch);
/// Likewise the blocks of whole clusters, one a tile.
[[nodiscard]] double blocks_of(const TileShape& tile, const ClusterShape& cluster, Index m, Index n,
                               Index batch);

}  // namespace jute::plan
