// Asks the law by what a step's blocks do.
#include "plan/choose/step_cost.hpp"

#include "plan/ask/groups.hpp"
#include "plan/choose/families/priced.hpp"
#include "plan/choose/families/width_costs.hpp"
#include "plan/derive/block/warpgroup_tile_of.hpp"
#include "plan/derive/block_of.hpp"
#include "plan/derive/moves.hpp"
#include "plan/values/tile_width.hpp"

namespace jute::plan {
namespace {

MovedBytes moved_by(const Plan& plan) {
  MovedBytes moved;
  for (const Step& other : plan.steps)
    if (const auto* moves = std::get_if<MoveStep>(&other)) add_moves(moved, *moves, plan.problem);
  return moved;
}

/// As the step has it, whose grid is to suit every M.
Tile tile_of_any_rows(const GemmStep& step, const DeviceInfo& device) {
  Tile tile = warpgroup_tile_of(step, device);
  tile.m_at_run_time = true;
  return tile;
}

KernelCost cost_of_step(const GemmStep& step, const DeviceInfo& device) {
  if (!is_of_warpgroups(step))
    return {step.block, grid_of(step), cut_of(step), law_of(step, device), {}};
  const GemmStep whole = step.gate ? of_whole_product(step) : step;
  return tile_cost(tile_of_any_rows(whole, device), multiplied_by(whole), device);
}

}  // namespace

std::vector<WidthCost> costs_of_widths(const Plan& plan) {
  const GemmStep& step = gemm_step(plan);
  if (!is_of_warpgroups(step)) return {};
  std::vector<WidthCost> costs =
      costs_of_tile(tile_of_any_rows(step, plan.device), multiplied_by(step), plan.device,
                    step.schedule.widths, [&](int width) { return stages_of_width(step, width); });
  for (WidthCost& one : costs) one.cost.moved = moved_by(plan);
  return costs;
}

FamilyLaw law_of(const GemmStep& step, const DeviceInfo& device) {
  const MmaForm form =
      row_of(step.family).by == MultipliedBy::threads ? MmaForm::fma : MmaForm::mma;
  return law_of(step.family, form, step.a.type, step.accumulate, device);
}

namespace {

Prediction predicted(const GemmStep& step, const Grid& grid, const DeviceInfo& device) {
  const FamilyLaw law = law_of(step, device);
  return clocks(step.block, grid, cut_of(step), law.rates, law.of);
}

}  // namespace

std::optional<Prediction> predicted(const GemmStep& step, const DeviceInfo& device) {
  if (!is_of_law(step) && !is_of_warpgroups(step)) return std::nullopt;
  return predicted(step, grid_of(step), device);
}

std::optional<Prediction> predicted(const GemmStep& step, const Problem& whole,
                                    const DeviceInfo& device) {
  if (!is_of_warpgroups(step)) return predicted(step, device);
  const Index rows = usual_group(whole).m;
  return predicted(step, with_rows(step.block, grid_of(step), rows, whole.batch), device);
}

}  // namespace jute::plan

namespace jute {

std::optional<KernelCost> kernel_cost(const Plan& plan) {
  KernelCost cost = plan::cost_of_step(gemm_step(plan), plan.device);
  cost.moved = plan::moved_by(plan);
  return cost;
}

}  // namespace jute
