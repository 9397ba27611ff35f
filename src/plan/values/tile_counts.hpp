#pragma once
// How many tiles, blocks, elements and bytes a problem has: as numbers that no extents make
// overflow.
#include <jute/launch/device_info.hpp>
#include <jute/plan/ask/config.hpp>

namespace jute::plan {

/// Tiles that cover all matrices.
[[nodiscard]] double tiles_of(const TileShape& tile, Index m, Index n, Index batch);
/// Elements of D in all matrices.
[[nodiscard]] double elements_of_d(Index m, Index n, Index batch);
/// Bytes of A and B, of so many for an element.
[[nodiscard]] double operand_bytes(Index m, Index n, Index k, Index batch, int width);
/// And of D.
[[nodiscard]] double all_bytes(Index m, Index n, Index k, Index batch, int width);
/// The blocks of whole clusters, one a tile.
[[nodiscard]] double blocks_of(const TileShape& tile, const ClusterShape& cluster, Index m, Index n,
                               Index batch);
/// How often a block was doubled, at least, to have the cluster's.
[[nodiscard]] int doublings(const ClusterShape& cluster);
/// Blocks of such clusters that run together, where an SM has room for one.
[[nodiscard]] Index blocks_at_once(const ClusterShape& cluster, const DeviceInfo& device);

}  // namespace jute::plan
