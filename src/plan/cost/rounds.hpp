#pragma once
// Tiles of a kernel of warpgroups, blocks that run at once, and how often such a round comes.
#include <jute/plan/values/block.hpp>

#include <algorithm>
#include <bit>
#include <cmath>

#include "plan/chip/line.hpp"
#include "plan/values/tile_counts.hpp"

namespace jute::plan {

[[nodiscard]] inline double blocks_of_cluster(const Block& block) {
  return block.cluster_m * block.cluster_n;
}
/// How often a block was doubled, at least, to have the cluster's.
[[nodiscard]] inline int doublings(const Block& block) {
  return std::bit_width(static_cast<unsigned>(blocks_of_cluster(block))) - 1;
}
/// How often a k-tile is multiplied.
[[nodiscard]] inline double products_of_tile(const Block& block) {
  return block.products / (block.m * block.n * block.k);
}
/// K-blocks of a tile whole, of 128 bytes of a row each, as often as they are multiplied; and of a
/// slice.
[[nodiscard]] inline double k_blocks(const Block& block, const Grid& grid) {
  return std::ceil(grid.k * block.width / kLine) * products_of_tile(block);
}
[[nodiscard]] inline double k_blocks(const Block& block, const Grid& grid, const Cut& cut) {
  return std::ceil(k_blocks(block, grid) / cut.split_k);
}
/// Blocks of an SM that walk over tiles beside each other.
[[nodiscard]] inline double co_resident(const Block& block) {
  return std::max(block.most_resident, 1.0);
}
/// Does a block work at one tile after the other?
[[nodiscard]] inline bool takes_turns(const Block& block) { return block.teams > 1; }

/// Tiles along M and N of a matrix: of none where there are no rows.
struct TilesOfMatrix {
  double m, n;
};
[[nodiscard]] inline TilesOfMatrix tiles_of_matrix(const Block& block, const Grid& grid) {
  return {std::ceil(grid.m / block.m), std::ceil(grid.n / block.n)};
}

/// Rounds of a launch's clusters, of whatever extents, and the blocks of one round: no more than
/// as many rounds need.
struct Rounds {
  double waves = 0, blocks = 1;
  double together = 1;  ///< blocks that run at once
};
[[nodiscard]] inline Rounds rounds_of(const Block& block, const Grid& grid, const Cut& cut,
                                      double sms) {
  const double cluster = blocks_of_cluster(block);
  const double met = cut.reduction == SplitK::distributed ? cut.split_k : 1;
  const double slots =
      std::max(std::floor(blocks_at_once(cluster * met, sms) / cluster), 1.0) * co_resident(block);
  const TilesOfMatrix tiles = tiles_of_matrix(block, grid);
  const double clusters = std::ceil(tiles.m / block.cluster_m) *
                          std::ceil(tiles.n / block.cluster_n) * grid.batch * cut.split_k;
  const double waves = std::ceil(clusters / slots);
  return {waves, std::max(std::ceil(clusters / std::max(waves, 1.0)), 1.0) * cluster,
          slots * cluster};
}

}  // namespace jute::plan
