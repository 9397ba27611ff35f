#pragma once
// How many tiles, blocks, elements and bytes a problem has: as numbers that no extents make
// overflow.
#include <jute/launch/device_info.hpp>
#include <jute/plan/ask/config.hpp>

namespace jute::plan {

/// Tiles that cover all matrices.
[[nodiscard]] double tiles_of(const TileShape& tile, Index m, Index n, Index batch);
/// Has a grid of a block a tile room for them, whose first axis is M or the batch?
[[nodiscard]] bool fits_grid(const TileShape& tile, Index m, Index n, Index batch);
/// Elements of D in all matrices.
[[nodiscard]] double elements_of_d(Index m, Index n, Index batch);
/// Bytes of A and B, of so many for an element.
[[nodiscard]] double operand_bytes(Index m, Index n, Index k, Index batch, int width);
/// And of D.
[[nodiscard]] double all_bytes(Index m, Index n, Index k, Index batch, int width);
/// Blocks that the chip's SMs hold at the same time, if they are small.
[[nodiscard]] Index most_blocks_at_once(const DeviceInfo& device);
/// Matrices of a batch that a straight kernel's block has side by side, where `threads` compute a
/// tile; 0 where each block has a tile of one, in a grid whose third axis is the batch.
[[nodiscard]] int matrices_of_block(int threads, const TileShape& tile, Index m, Index n,
                                    Index batch, const DeviceInfo& device);
/// The blocks of whole clusters, one a tile.
[[nodiscard]] double blocks_of(const TileShape& tile, const ClusterShape& cluster, Index m, Index n,
                               Index batch);
/// Blocks of clusters of so many that run together, where an SM has room for one.
[[nodiscard]] double blocks_at_once(double of_cluster, double sms);
[[nodiscard]] Index blocks_at_once(const ClusterShape& cluster, const DeviceInfo& device);

}  // namespace jute::plan
