#pragma once
// The work that blocks of warpgroups do for their tiles: what their prices are made of.
#include <jute/plan/values/block.hpp>

#include "plan/values/candidates.hpp"
#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

/// Blocks of many tiles of a problem: what this alone says is found once.
class WarpgroupBlocks {
 public:
  /// Both must outlive it.
  WarpgroupBlocks(const KernelProblem& problem, const DeviceInfo& device);

  /// The Block of tiles of a shape in their cluster, but for what `set_drain` and `complete` say:
  /// enough for bounds.
  [[nodiscard]] Block of_shape(const Tile& tile) const;
  /// How D leaves.
  void set_drain(Block& block, const Tile& tile) const;
  /// Rows that stages leave out, boxes, conversion, scales, and what is left of an SM.
  void complete(Block& block, const Tile& tile) const;

  [[nodiscard]] Block operator()(const Tile& tile) const;

 private:
  const KernelProblem& problem_;
  const DeviceInfo& device_;
  Block of_problem_;
};

[[nodiscard]] inline Block warpgroup_block(const Tile& tile, const KernelProblem& problem,
                                           const DeviceInfo& device) {
  return WarpgroupBlocks(problem, device)(tile);
}

[[nodiscard]] inline Cut cut_of(const Tile& tile) {
  return {tile.split_k, tile.whole_tiles, tile.reduction};
}

}  // namespace jute::plan
