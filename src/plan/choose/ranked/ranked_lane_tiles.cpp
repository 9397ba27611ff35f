// Holds the model to every tile that a grid has room for.
#include "plan/choose/ranked/ranked_lane_tiles.hpp"

#include <algorithm>

#include "plan/choose/ranked/fastest.hpp"
#include "plan/cost/law.hpp"
#include "plan/shapes/direct/lane_tiles.hpp"
#include "plan/values/tile_counts.hpp"

namespace jute::plan {

std::vector<RankedTile> ranked_lane_tiles(const KernelProblem& problem, const DeviceInfo& device,
                                          size_t most) {
  const FamilyLaw law =
      law_of(Family::lane_tiles, MmaForm::fma, problem.a.type, problem.accumulate, device);
  std::vector<RankedTile> list;
  for_lane_tiles(problem, device, [&](const Tile& tile) {
    const Tile covered = covered_by_lanes(tile, problem);
    const TileShape shape{covered.m, covered.n, 0};
    if (!fits_grid(shape, problem.m.value, problem.n.value, problem.batch.value) ||
        !has_whole_bytes(tile, problem))
      return;
    const Block block = lane_block(covered, lane_accesses(covered, problem), problem, device);
    list.push_back({clocks(block, grid_of(block, problem), {}, law.rates, law.of).clocks, tile});
  });
  keep_fastest(list, most);
  return list;
}

double least_lane_clocks(const KernelProblem& problem, const DeviceInfo& device) {
  const FamilyLaw law =
      law_of(Family::lane_tiles, MmaForm::fma, problem.a.type, problem.accumulate, device);
  return elements_of_d(problem.m.value, problem.n.value, problem.batch.value) *
         static_cast<double>(problem.k.value) / law.rates.multiply_adds / law.rates.sms *
         std::max(law.of.product, law.rates.of_fastest_clock);
}

}  // namespace jute::plan
