// Asks the model of each family.
#include "plan/cost/tiles/work_cost.hpp"

#include "plan/cost/cost_model.hpp"
#include "plan/cost/tiles/dot_cost.hpp"
#include "plan/cost/tiles/lane_tile_cost.hpp"
#include "plan/cost/tiles/line_cost.hpp"
#include "plan/cost/tiles/straight_cost.hpp"
#include "plan/cost/tiles/thread_group_cost.hpp"
#include "plan/cost/tiles/thread_tile_cost.hpp"
#include "plan/cost/tiles/warp_group_cost.hpp"
#include "plan/cost/tiles/warp_tile_cost.hpp"

namespace jute::plan {
namespace {

KernelMatrix matrix_of(const WorkMatrix& of) {
  KernelMatrix matrix;
  matrix.type = of.type;
  matrix.major = of.major;
  matrix.ld = of.ld;
  matrix.access_bytes = of.access_bytes;
  matrix.terms = of.terms;
  return matrix;
}

class BlockCost {
 public:
  BlockCost(const Work& work, const DeviceInfo& device)
      : slices_(work.slices),
        whole_tiles_(work.whole_tiles),
        device_(device),
        problem_(problem_of(work.problem)) {}

  std::optional<Prediction> operator()(std::monostate) const { return std::nullopt; }
  std::optional<Prediction> operator()(const GroupTile&) const { return std::nullopt; }
  std::optional<Prediction> operator()(const WarpGroupWork& block) const {
    return predicted(block, slices_, problem_, device_);
  }
  std::optional<Prediction> operator()(const ThreadGroupWork& block) const {
    return with_slices(whole_thread_group(block, problem_), block, slices_, problem_, device_);
  }
  std::optional<Prediction> operator()(const WarpTileWork& block) const {
    return predicted(block, uncut(block, problem_, device_), TileCut{slices_, whole_tiles_},
                     problem_, device_);
  }
  std::optional<Prediction> operator()(const ThreadTileWork& block) const {
    return predicted(block, uncut(block, problem_, device_), slices_, k(), device_);
  }
  std::optional<Prediction> operator()(const StraightWork& block) const {
    return predicted(block, m(), n(), k(), batch(), device_);
  }
  std::optional<Prediction> operator()(const LaneTileWork& block) const {
    return predicted(block, m(), n(), k(), batch(), device_);
  }
  std::optional<Prediction> operator()(const DotWork& block) const {
    const bool is_b = m() <= n();
    const DType streamed = (is_b ? problem_.b : problem_.a).type;
    return predicted(block, is_b ? n() : m(), is_b ? m() : n(), k(), batch(), width_bytes(streamed),
                     device_);
  }
  std::optional<Prediction> operator()(const LineWork& block) const {
    const bool is_a = block.streamed == Operand::a;
    return predicted(block, is_a ? m() : n(), is_a ? n() : m(), k(), batch(), device_);
  }

 private:
  [[nodiscard]] Index m() const { return problem_.m.value; }
  [[nodiscard]] Index n() const { return problem_.n.value; }
  [[nodiscard]] Index k() const { return problem_.k.value; }
  [[nodiscard]] Index batch() const { return problem_.batch.value; }

  int slices_;
  Index whole_tiles_;
  const DeviceInfo& device_;
  KernelProblem problem_;
};

}  // namespace

KernelProblem problem_of(const WorkProblem& work) {
  KernelProblem problem;
  problem.transposed = work.transposed;
  problem.m = work.m;
  problem.n = work.n;
  problem.k = work.k;
  problem.batch = work.batch;
  problem.products = work.products;
  problem.a = matrix_of(work.a);
  problem.b = matrix_of(work.b);
  problem.d = matrix_of(work.d);
  problem.accumulate = work.accumulate;
  problem.launches = work.launches;
  return problem;
}

std::optional<Prediction> predicted(const Work& work, const DeviceInfo& device) {
  return std::visit(BlockCost(work, device), work.block);
}

std::optional<KernelCost> group_cost(const Work& work, const DeviceInfo& device, bool any_m) {
  const auto* block = std::get_if<GroupTile>(&work.block);
  if (block == nullptr) return std::nullopt;
  GroupTile tile = *block;
  tile.any_m = any_m;
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
