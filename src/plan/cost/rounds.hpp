#pragma once
// Blocks that run at once, and how often such a round comes.
#include <jute/base/checked.hpp>
#include <jute/plan/cost/kernel_cost.hpp>

#include <algorithm>
#include <cmath>

namespace jute::plan {

/// Blocks that run at once.
[[nodiscard]] inline double blocks_together(const TileGrid& grid) {
  return static_cast<double>(grid.slots * grid.cluster);
}

/// Rounds of a launch's clusters, of whatever extents, and the blocks of one round: no more than
/// as many rounds need.
struct Rounds {
  double waves = 0, blocks = 1;
};
[[nodiscard]] inline Rounds rounds_of(const TileGrid& grid, Index m, Index batch) {
  // Of whatever extents: doubles hold what integers do not.
  const double clusters =
      static_cast<double>(ceil_div(ceil_div(m, grid.tile_rows), grid.cluster_rows)) *
      static_cast<double>(grid.clusters_across) * static_cast<double>(batch) *
      static_cast<double>(grid.split_k);
  const double waves = std::ceil(clusters / static_cast<double>(grid.slots));
  return {waves, std::max(std::ceil(clusters / std::max(waves, 1.0)), 1.0) *
                     static_cast<double>(grid.cluster)};
}

}  // namespace jute::plan
