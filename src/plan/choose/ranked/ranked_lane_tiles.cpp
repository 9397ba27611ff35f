// Holds the model to every tile that a grid has room for.
#include "plan/choose/ranked/ranked_lane_tiles.hpp"

#include "plan/choose/ranked/fastest.hpp"
#include "plan/cost/tiles/lane_tile_cost.hpp"
#include "plan/shapes/lane_tiles.hpp"
#include "plan/values/tile_counts.hpp"

namespace jute::plan {

std::vector<RankedLanes> ranked_lane_tiles(const KernelProblem& problem, const DeviceInfo& device,
                                           size_t most) {
  const RowScale scale = row_scale(problem, MmaForm::fma, device);
  std::vector<RankedLanes> list;
  for_lane_tiles(problem, device, [&](const LaneTile& tile) {
    const LaneTileWork work = work_of(tile, problem);
    if (!fits_grid(work.tile, problem.m.value, problem.n.value, problem.batch.value) ||
        !has_whole_bytes(tile, problem))
      return;
    list.push_back({predicted(work, problem.m.value, problem.n.value, problem.k.value,
                              problem.batch.value, device, scale)
                        .clocks,
                    tile});
  });
  keep_fastest(list, most);
  return list;
}

}  // namespace jute::plan
