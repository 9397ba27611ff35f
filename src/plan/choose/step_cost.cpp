// Asks the law by what a step's blocks do, and the model of tiles of warpgroups by their schedule.
#include "plan/choose/step_cost.hpp"

#include "plan/choose/ranked/width_costs.hpp"
#include "plan/cost/cost_model.hpp"
#include "plan/derive/block/warpgroup_tile_of.hpp"
#include "plan/derive/block_of.hpp"
#include "plan/derive/moves.hpp"
#include "plan/values/tile_width.hpp"

namespace jute::plan {
namespace {

void add_copies(KernelCost& cost, const Plan& plan) {
  for (const Step& other : plan.steps)
    if (const auto* moves = std::get_if<MoveStep>(&other)) add_moves(cost, *moves, plan.problem);
}

/// A step of both halves of its product.
template <class Look>
auto of_product(const GemmStep& step, const Look& look) {
  return step.gate ? look(of_whole_product(step)) : look(step);
}

}  // namespace

std::optional<KernelCost> kernel_cost(const GemmStep& step, const DeviceInfo& device,
                                      bool m_at_run_time) {
  if (!is_of_warpgroups(step)) return std::nullopt;
  return of_product(step, [&](const GemmStep& whole) {
    Tile tile = warpgroup_tile_of(whole, device);
    tile.m_at_run_time = m_at_run_time;
    return kernel_cost(tile, multiplied_by(whole), device);
  });
}

std::optional<KernelCost> kernel_cost(const Plan& plan, bool m_at_run_time) {
  std::optional<KernelCost> cost = kernel_cost(gemm_step(plan), plan.device, m_at_run_time);
  if (cost) add_copies(*cost, plan);
  return cost;
}

std::vector<WidthCost> costs_of_widths(const Plan& plan) {
  std::vector<WidthCost> costs;
  const GemmStep& step = gemm_step(plan);
  if (!is_of_warpgroups(step)) return costs;
  Tile tile = warpgroup_tile_of(step, plan.device);
  tile.m_at_run_time = true;
  const KernelProblem problem = multiplied_by(step);
  const Cuts cuts{step.schedule.split_k_at_run_time, step.m, step.k, width_bytes(step.a.type)};
  for_cuts(cuts, step.tile.m, plan.device, [&](int split_k) {
    for (const int width : step.schedule.widths) {
      tile.n = width;
      tile.split_k = split_k;
      KernelCost cost = kernel_cost(tile, problem, plan.device);
      add_copies(cost, plan);
      costs.push_back(limited(width, cost, stages_of_width(step, width)));
    }
  });
  return costs;
}

FamilyLaw law_of(const GemmStep& step, const DeviceInfo& device) {
  const MmaForm form =
      row_of(step.family).by == MultipliedBy::threads ? MmaForm::fma : MmaForm::mma;
  return law_of(step.family, form, step.a.type, step.accumulate, device);
}

std::optional<Prediction> predicted(const GemmStep& step, const DeviceInfo& device) {
  if (!is_of_law(step)) return std::nullopt;
  const FamilyLaw law = law_of(step, device);
  return clocks(step.block, grid_of(step), cut_of(step), law.rates, law.of);
}

std::optional<KernelCost> streamed_cost(const GemmStep& step, const DeviceInfo& device) {
  if (step.block.streams == 0 || step.m.value > step.n.value) return std::nullopt;
  const std::optional<Prediction> whole = predicted(step, device);
  // Each tile along M streams B once more.
  KernelCost cost;
  cost.grid.tile_rows = step.tile.m;
  cost.grid.tiles_across = cost.grid.clusters_across = 1;
  cost.parts.launch = whole->launch;
  cost.parts.start = whole->start;
  cost.parts.k_blocks = 1;
  cost.parts.k_block = whole->clocks - whole->launch - whole->start;
  return cost;
}

}  // namespace jute::plan

namespace jute {

std::optional<KernelCost> kernel_cost(const Plan& plan) { return plan::kernel_cost(plan, true); }

}  // namespace jute
