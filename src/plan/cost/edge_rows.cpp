// TMA takes three times as long for a row of zeros as for one that it loads.
#include "plan/cost/edge_rows.hpp"

#include <jute/base/checked.hpp>

#include <algorithm>
#include <array>

#include "plan/chip/line.hpp"
#include "plan/cost/fitted.hpp"
#include "plan/cost/tile_rates.hpp"

namespace jute::plan {
namespace {

// Elements of D that leave in one access at most: all of them are of rows that are there, or none.
constexpr int kTogether = 8;

/// Of boxes of so many rows along K.
int unit_of_rows(int rows) { return rows % kTogether == 0 ? kTogether : rows; }

/// May a tile, or its neighbour in the cluster, reach past the edge with a whole unit?
bool reaches_past(const Extent& extent, Index tile, int unit, bool any_extent) {
  if (unit == 0) return false;
  if (any_extent && !extent.baked) return true;
  return ceil_div(extent.value, Index{unit}) * unit % tile != 0;
}

/// Does the expression ask what a sum is? A branch would follow from what was in a stage.
bool asks(const EpilogueExpression& expression) {
  using enum EpilogueOp;
  return std::ranges::any_of(
      std::array{less, less_equal, greater, greater_equal, equal, not_equal, select},
      [&](EpilogueOp op) { return names(expression, op); });
}

}  // namespace

// What was in the place of such rows is multiplied like all else, and what comes of it goes where D
// ends. Instructions that read stages themselves look at no number; and sums that meet in the
// workspace would leave there, as those of any generic kernel may.
int edge_unit(const GemmStep& step, const OperandPlan& operand) {
  const KernelSchedule& schedule = step.schedule;
  const std::optional<TmaBoxes>& boxes = tma_of(operand).boxes;
  if (asks(step.epilogue.expression)) return 0;
  if (deals_tiles(step.groups))
    return leaves_out_rows_of_groups(step, operand) && boxes && descriptor_of(operand)
               ? boxes->outer
               : 0;
  const bool reduces_outside = schedule.split_k > 1 && !reduces_in_cluster(schedule);
  if (!boxes || !descriptor_of(operand) || reduces_outside || schedule.is_generic) return 0;
  // Of columns past the edge no sums are left for the others.
  if (schedule.split_k_at_run_time && &operand != &step.b) return 0;
  return operand.major == Major::mn ? boxes->inner : unit_of_rows(boxes->outer);
}

namespace {

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
  const double row_a = clocks_of_row(problem.a) / cluster.n,
               row_b = clocks_of_row(problem.b) / cluster.m;
  const auto past = [](const Extent& extent, Index tile, Index together) {
    return static_cast<double>(rows_past(extent.value, tile, together));
  };
  const double past_m = past(problem.m, m, cluster.m) * (fitted::kPastRow / cluster.n - row_a);
  const double past_n = past(problem.n, n, cluster.n) * (fitted::kPastRow / cluster.m - row_b);
  const double loads = static_cast<double>(m) * row_a + static_cast<double>(n) * row_b;
  return is_felt(loads + std::max(past_m, past_n), m, n, problem);
}

bool are_zeros_left_out(Index m, Index n, const ClusterShape& cluster,
                        const KernelProblem& problem) {
  return is_mostly_past(problem.m.value, m, cluster.m) ||
         is_mostly_past(problem.n.value, n, cluster.n) || are_zeros_felt(m, n, cluster, problem);
}

}  // namespace

std::optional<EdgeRows> edge_wish(const Config& config) {
  if (config.edge_rows) return config.edge_rows;
  if (config.specialize == Specialize::generic) return EdgeRows::zeros;
  if (config.specialize == Specialize::none) return EdgeRows::left_out;  // for every M and N
  return std::nullopt;
}

bool adds_in_workspace(const Tile& tile) {
  return tile.split_k > 1 && tile.reduction != SplitK::distributed;
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

void choose_edge_rows(GemmStep& step, const KernelProblem& problem, const EdgeRuns& runs,
                      const Config& config) {
  const ClusterShape& cluster = step.schedule.cluster;
  const std::optional<EdgeRows> wish = runs.m_at_run_time || runs.n_at_run_time
                                           ? config.edge_rows.value_or(EdgeRows::left_out)
                                           : edge_wish(config);
  const bool is_wanted = wish ? *wish == EdgeRows::left_out
                              : are_zeros_left_out(step.tile.m, step.tile.n, cluster, problem);
  const auto choose = [&](OperandPlan& operand, const Extent& extent, Index tile, bool any) {
    const int unit = is_wanted && !tma_of(operand).boxed ? edge_unit(step, operand) : 0;
    its_tma(operand).edge_unit = reaches_past(extent, tile, unit, any) ? unit : 0;
  };
  choose(step.a, step.m, Index{step.tile.m} * cluster.m, runs.m_at_run_time);
  choose(step.b, step.n, Index{step.tile.n} * cluster.n, runs.n_at_run_time);
}

}  // namespace jute::plan
