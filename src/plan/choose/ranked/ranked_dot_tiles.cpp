// Holds the model to every way that a grid has room for.
#include "plan/choose/ranked/ranked_dot_tiles.hpp"

#include <algorithm>

#include "plan/chip/grid_limits.hpp"
#include "plan/cost/tiles/dot_cost.hpp"
#include "plan/shapes/dot_products.hpp"
#include "plan/shapes/shared_tiles.hpp"

namespace jute::plan {

std::vector<DotTile> ranked_dot_tiles(const KernelProblem& problem, const DeviceInfo& device,
                                      size_t most, Specialize specialize) {
  if (!suits_dot_products(problem)) return {};
  struct Ranked {
    double clocks;
    DotTile tile;
  };
  std::vector<Ranked> list;
  for (const DotTile& tile : dot_tiles(problem)) {
    if (specialize == Specialize::shared && !is_shared(tile)) continue;
    const DotWork work = work_of(tile, problem);
    const Index across = tile.streamed == Operand::b ? ceil_div(problem.n.value, work.lines)
                                                     : ceil_div(problem.n.value, work.rows);
    if (across > kMostBlocksAcross || problem.batch.value > kMostBlocksAcross) continue;
    list.push_back({predicted(tile, problem, device).clocks, tile});
  }
  std::ranges::stable_sort(list, {}, &Ranked::clocks);
  std::vector<DotTile> best;
  for (size_t i = 0; i < std::min(most, list.size()); ++i) best.push_back(list[i].tile);
  return best;
}

}  // namespace jute::plan
