// Holds the model to every tile that a grid has room for.
#include "plan/choose/ranked/ranked_lane_tiles.hpp"

#include <jute/base/checked.hpp>

#include "plan/chip/grid_limits.hpp"
#include "plan/choose/ranked/fastest.hpp"
#include "plan/cost/tiles/lane_tile_cost.hpp"
#include "plan/shapes/lane_tiles.hpp"

namespace jute::plan {

std::vector<RankedLanes> ranked_lane_tiles(const KernelProblem& problem, const DeviceInfo& device,
                                           size_t most) {
  std::vector<RankedLanes> list;
  for_lane_tiles(problem, [&](const LaneTile& tile) {
    const LaneTileWork work = work_of(tile, problem);
    if (ceil_div(problem.n.value, Index{work.tile.n}) > kMostBlocksAcross ||
        problem.batch.value > kMostBlocksAcross || !has_whole_bytes(tile, problem))
      return;
    list.push_back({predicted(work, problem.m.value, problem.n.value, problem.k.value,
                              problem.batch.value, device)
                        .clocks,
                    tile});
  });
  keep_fastest(list, most);
  return list;
}

}  // namespace jute::plan
