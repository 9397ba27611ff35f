// Holds the model to every tile that a grid has room for.
#include "plan/choose/ranked/ranked_lane_tiles.hpp"

#include "plan/choose/ranked/fastest.hpp"
#include "plan/cost/tiles/direct_amounts.hpp"
#include "plan/shapes/lane_tiles.hpp"
#include "plan/values/tile_counts.hpp"

namespace jute::plan {

std::vector<RankedTile> ranked_lane_tiles(const KernelProblem& problem, const DeviceInfo& device,
                                          size_t most) {
  const FamilyLaw law = law_of(Family::lane_tiles, MmaForm::fma, problem, device);
  std::vector<RankedTile> list;
  for_lane_tiles(problem, device, [&](const Tile& tile) {
    const LaneTileWork work = lane_work(tile, problem);
    if (!fits_grid(work.tile, problem.m.value, problem.n.value, problem.batch.value) ||
        !has_whole_bytes(tile, problem))
      return;
    list.push_back(
        {by_law(amounts_of(work, problem, device, law), {}, law.of, law.rates).clocks, tile});
  });
  keep_fastest(list, most);
  return list;
}

}  // namespace jute::plan
