// Asks the law, and the model of tiles of warpgroups.
#include "plan/cost/tiles/work_cost.hpp"

#include <variant>

#include "plan/cost/cost_model.hpp"
#include "plan/cost/tiles/law_work.hpp"
#include "plan/cost/tiles/straight_cost.hpp"
#include "plan/cost/tiles/work_problem.hpp"

namespace jute::plan {

std::optional<Prediction> predicted(const Work& work, const DeviceInfo& device) {
  const std::optional<LawWork> by = law_work(work, device);
  if (by) return by_law(by->amounts, {work.split_k, work.whole_tiles}, by->law.of, by->law.rates);
  const auto* straight = std::get_if<StraightWork>(&work.block);
  if (straight == nullptr) return std::nullopt;
  const KernelProblem problem = problem_of(work.problem);
  return stored_prediction(*straight, problem.m.value, problem.n.value, problem.k.value,
                           problem.batch.value, device);
}

std::optional<KernelCost> warpgroup_cost(const Work& work, const DeviceInfo& device,
                                         bool m_at_run_time) {
  const auto* block = std::get_if<Tile>(&work.block);
  if (block == nullptr) return std::nullopt;
  Tile tile = *block;
  tile.m_at_run_time = m_at_run_time;
  return kernel_cost(tile, problem_of(work.problem), device);
}

std::optional<KernelCost> streamed_cost(const Work& work, const DeviceInfo& device) {
  const bool reads_once =
      std::holds_alternative<DotWork>(work.block) || std::holds_alternative<LineWork>(work.block);
  if (!reads_once || work.problem.m.value > work.problem.n.value) return std::nullopt;
  const std::optional<Prediction> whole = predicted(work, device);
  // Each tile along M streams B once more.
  KernelCost cost;
  cost.grid.tile_rows = work.tile.m;
  cost.grid.tiles_across = cost.grid.clusters_across = 1;
  cost.parts.launch = whole->launch;
  cost.parts.start = whole->start;
  cost.parts.k_blocks = 1;
  cost.parts.k_block = whole->clocks - whole->launch - whole->start;
  return cost;
}

}  // namespace jute::plan
