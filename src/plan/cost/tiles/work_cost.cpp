// Asks the model of each family.
#include "plan/cost/tiles/work_cost.hpp"

#include "plan/cost/cost_model.hpp"
#include "plan/cost/tiles/law_work.hpp"
#include "plan/cost/tiles/straight_cost.hpp"
#include "plan/cost/tiles/work_problem.hpp"

namespace jute::plan {
namespace {

/// Of the families that have models of their own.
class BlockCost {
 public:
  BlockCost(const Work& work, const DeviceInfo& device)
      : device_(device), work_(work.problem), problem_(problem_of(work.problem)) {}

  std::optional<Prediction> operator()(const StraightWork& block) const {
    return predicted(block, m(), n(), k(), batch(), device_, scale_of(block.form));
  }
  template <class Other>
  std::optional<Prediction> operator()(const Other& /*has a cost for every M, or none*/) const {
    return std::nullopt;
  }

 private:
  [[nodiscard]] RowScale scale_of(MmaForm form) const { return row_scale(work_, form, device_); }
  [[nodiscard]] Index m() const { return problem_.m.value; }
  [[nodiscard]] Index n() const { return problem_.n.value; }
  [[nodiscard]] Index k() const { return problem_.k.value; }
  [[nodiscard]] Index batch() const { return problem_.batch.value; }

  const DeviceInfo& device_;
  const WorkProblem& work_;
  KernelProblem problem_;
};

}  // namespace

std::optional<Prediction> predicted(const Work& work, const DeviceInfo& device) {
  if (const std::optional<LawWork> by = law_work(work, device))
    return by_law(by->amounts, {work.split_k, work.whole_tiles}, by->law.of, by->law.rates);
  return std::visit(BlockCost(work, device), work.block);
}

std::optional<KernelCost> warpgroup_cost(const Work& work, const DeviceInfo& device,
                                         bool m_at_run_time) {
  const auto* block = std::get_if<WarpgroupTile>(&work.block);
  if (block == nullptr) return std::nullopt;
  WarpgroupTile tile = *block;
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
