// Tiles cover matrices whole: the last ones reach past the edge.
#include "plan/values/tile_counts.hpp"

#include <jute/base/checked.hpp>
#include <jute/plan/values/count.hpp>

#include <algorithm>
#include <cmath>

#include "plan/chip/grid_limits.hpp"

namespace jute::plan {

double tiles_of(const TileShape& tile, Index m, Index n, Index batch) {
  return static_cast<double>(ceil_div(std::max<Index>(m, 1), tile.m)) *
         static_cast<double>(ceil_div(std::max<Index>(n, 1), tile.n)) *
         static_cast<double>(std::max<Index>(batch, 1));
}

bool fits_grid(const TileShape& tile, Index m, Index n, Index batch) {
  const Index third = batch > kMostBlocksAcross ? ceil_div(m, Index{tile.m}) : batch;
  return ceil_div(n, Index{tile.n}) <= kMostBlocksAcross && third <= kMostBlocksAcross;
}

double elements_of_d(Index m, Index n, Index batch) {
  return static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(batch);
}

double operand_bytes(Index m, Index n, Index k, Index batch, int width) {
  return (static_cast<double>(m) + static_cast<double>(n)) * static_cast<double>(k) *
         static_cast<double>(batch) * width;
}

double all_bytes(Index m, Index n, Index k, Index batch, int width) {
  return operand_bytes(m, n, k, batch, width) + width * elements_of_d(m, n, batch);
}

// CUDA C++ Programming Guide, compute capabilities: 16 to 32.
Index most_blocks_at_once(const DeviceInfo& device) {
  constexpr Index kOfSm = 32;
  return kOfSm * std::max(device.sm_count, 1);
}

// Products of a tile each, in blocks of a warp or two, would begin one behind the other.
int matrices_of_block(int threads, const TileShape& tile, Index m, Index n, Index batch,
                      const DeviceInfo& device) {
  constexpr int kThreadsBeside = 128;
  const bool is_one_tile = m <= tile.m && n <= tile.n;
  if (is_one_tile && batch > most_blocks_at_once(device))
    return std::max(kThreadsBeside / std::max(threads, 1), 1);
  return batch > kMostBlocksAcross ? 1 : 0;
}

double blocks_of(const TileShape& tile, const ClusterShape& cluster, Index m, Index n,
                 Index batch) {
  const auto whole = [](Index extent, int rows, int blocks) {
    return static_cast<double>(ceil_div(ceil_div(std::max<Index>(extent, 1), rows), blocks)) *
           blocks;
  };
  return whole(m, tile.m, cluster.m) * whole(n, tile.n, cluster.n) *
         static_cast<double>(std::max<Index>(batch, 1));
}

// A cluster lies within a part of the chip; those of more than two do not fill the parts: 30 of
// four were counted on the 132 SMs of an H200.
double blocks_at_once(double of_cluster, double sms) {
  constexpr double kFilled = 10, kOf = 11;
  const double each = std::max(of_cluster, 1.0);
  return std::floor((each > 2 ? std::floor(sms * kFilled / kOf) : sms) / each) * each;
}

Index blocks_at_once(const ClusterShape& cluster, const DeviceInfo& device) {
  return static_cast<Index>(blocks_at_once(static_cast<double>(blocks(cluster)), device.sm_count));
}

}  // namespace jute::plan
