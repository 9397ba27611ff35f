// TMA takes three times as long for a row of zeros as for one that it loads.
#include "plan/shapes/warpgroups/edge_rows.hpp"

#include <jute/base/checked.hpp>

#include <algorithm>

#include "plan/chip/line.hpp"
#include "plan/cost/feed_cost.hpp"
#include "plan/cost/fitted.hpp"
#include "plan/shapes/tile_block.hpp"
#include "plan/shapes/warpgroup_ways.hpp"

namespace jute::plan {
namespace {

// Elements of D that leave in one access at most: all of them are of rows that are there, or none.
constexpr int kTogether = 8;

double row_clocks(const KernelMatrix& matrix) {
  return clocks_of_row(rows_begin(matrix, width_bytes(matrix.type)) * stored_share(matrix));
}

/// Rows of the last tile that lie past the edge; all of one where a block of a cluster lies there.
Index rows_past(Index extent, Index tile, Index cluster) {
  const Index tiles = ceil_div(std::max<Index>(extent, 1), tile);
  return tiles % cluster != 0 ? tile : tiles * tile - extent;
}

/// Has a large D tiles that lie past the edge but for a few rows? Whole k-tiles of zeros cost
/// power.
bool is_mostly_past(Index extent, Index tile, Index cluster) {
  return extent > tile && static_cast<double>(rows_past(extent, tile, cluster)) >=
                              fitted::kMostlyPast * static_cast<double>(tile);
}

/// Do the products of a k-block wait for what TMA writes past one of the edges?
bool are_zeros_felt(Index m, Index n, const ClusterShape& cluster, const KernelProblem& problem) {
  const double row_a = row_clocks(problem.a) / cluster.n, row_b = row_clocks(problem.b) / cluster.m;
  const auto past = [](const Extent& extent, Index tile, Index together) {
    return static_cast<double>(rows_past(extent.value, tile, together));
  };
  const double past_m = past(problem.m, m, cluster.m) * (fitted::kPastRow / cluster.n - row_a);
  const double past_n = past(problem.n, n, cluster.n) * (fitted::kPastRow / cluster.m - row_b);
  const double loads = static_cast<double>(m) * row_a + static_cast<double>(n) * row_b;
  return loads + std::max(past_m, past_n) >
         clocks_that_hide(static_cast<double>(m), static_cast<double>(n), products_of_tile(problem),
                          problem.a.terms);
}

/// Are sums of the tile's slices added in the workspace? Stages need zeros past the edge then.
bool adds_in_workspace(const Tile& tile) {
  return tile.split_k > 1 && tile.reduction != SplitK::distributed;
}

}  // namespace

int unit_of_rows(int rows) { return rows % kTogether == 0 ? kTogether : rows; }

bool are_zeros_left_out(Index m, Index n, const ClusterShape& cluster,
                        const KernelProblem& problem) {
  return is_mostly_past(problem.m.value, m, cluster.m) ||
         is_mostly_past(problem.n.value, n, cluster.n) || are_zeros_felt(m, n, cluster, problem);
}

std::optional<EdgeRows> edge_wish(const Config& config) {
  if (config.edge_rows) return config.edge_rows;
  if (config.specialize == Specialize::generic) return EdgeRows::zeros;
  if (config.specialize == Specialize::none) return EdgeRows::left_out;  // for every M and N
  return std::nullopt;
}

EdgeUnits edge_units(const Tile& tile, const KernelProblem& problem) {
  const auto is_chosen = [&] {
    return tile.m_at_run_time || are_zeros_left_out(tile.m, tile.n, tile.cluster, problem);
  };
  if (adds_in_workspace(tile) && !tile.split_k_at_run_time) return {};
  if (tile.edge_rows ? *tile.edge_rows == EdgeRows::zeros : !is_chosen()) return {};
  const auto unit = [](const KernelMatrix& matrix, int rows, int sharers) -> Index {
    if (matrix.major == Major::k) return unit_of_rows(rows / sharers);
    return std::min(rows, kLine / width_bytes(matrix.type));
  };
  const Index b = unit(problem.b, tile.n, tile.cluster.m);
  return {tile.split_k_at_run_time ? 0 : unit(problem.a, tile.m, tile.cluster.n), b};
}

}  // namespace jute::plan
