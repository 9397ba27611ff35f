// Rows past the edge that a step's boxes, sums and epilogue let its tile leave out.
#include "plan/derive/block/edge_rows.hpp"

#include <jute/base/checked.hpp>

#include <algorithm>
#include <array>

#include "plan/shapes/warpgroups/edge_rows.hpp"

namespace jute::plan {
namespace {

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

// Whatever was in the place of such rows is multiplied like all else, and what comes of it goes
// where D ends. Instructions that read stages themselves look at no number; and sums that meet in
// the workspace would leave there, as those of any generic kernel may.
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
  // Columns past the edge leave no sums for the others.
  if (schedule.split_k_at_run_time && &operand != &step.b) return 0;
  return operand.major == Major::mn ? boxes->inner : unit_of_rows(boxes->outer);
}

bool has_no_rows_past(const GemmStep& step) {
  const ClusterShape& cluster = step.schedule.cluster;
  const int a = edge_unit(step, step.a), b = edge_unit(step, step.b);
  return !step.groups && a + b > 0 &&
         !reaches_past(step.m, Index{step.tile.m} * cluster.m, a, false) &&
         !reaches_past(step.n, Index{step.tile.n} * cluster.n, b, false);
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
    if (transfer_of(operand) != Transfer::tma) return;  // threads write zeros
    const int unit = is_wanted && !tma_of(operand).boxed ? edge_unit(step, operand) : 0;
    its_tma(operand).edge_unit = reaches_past(extent, tile, unit, any) ? unit : 0;
  };
  choose(step.a, step.m, Index{step.tile.m} * cluster.m, runs.m_at_run_time);
  choose(step.b, step.n, Index{step.tile.n} * cluster.n, runs.n_at_run_time);
}

}  // namespace jute::plan
