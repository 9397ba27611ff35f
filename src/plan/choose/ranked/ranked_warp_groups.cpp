// Holds the model to every tile, and to ways to cut K.
#include "plan/choose/ranked/ranked_warp_groups.hpp"

#include <algorithm>

#include "plan/choose/ranked/fastest.hpp"
#include "plan/cost/law.hpp"
#include "plan/cost/release.hpp"
#include "plan/cost/slice_cost.hpp"
#include "plan/shapes/warp_groups.hpp"
#include "plan/values/tile_counts.hpp"

namespace jute::plan {
namespace {

/// The slices of K with which the tile takes least.
RankedTile warp_group_with_best_slices(const Tile& tile, const KernelProblem& problem,
                                       const DeviceInfo& device, const FamilyLaw& law) {
  constexpr int kManySlices = 32;
  constexpr double kMostBlocks = 2;  // of an SM, where K is cut
  const Block block = warp_group_block(tile, problem);
  const Grid grid = grid_of(block, problem);
  const ClocksOfCuts clocks_of(block, grid, law);
  RankedTile best{clocks_of({}).clocks, tile};
  const double tiles = grid.tiles;
  const int most = std::min(kManySlices, slices_within_cache({tile.m, tile.n}, problem, device));
  for (int split_k = 2; split_k <= most && split_k * tiles <= kMostBlocks * device.sm_count;
       split_k += std::max(1, split_k / 4)) {
    const double own = clocks_of({split_k}).clocks;
    if (own >= best.clocks) continue;
    best.clocks = own;
    best.tile.split_k = split_k;
  }
  best.tile.release = release_for(best.tile.split_k * tiles, device);
  return best;
}

}  // namespace

std::vector<RankedTile> ranked_warp_groups(const KernelProblem& problem, const DeviceInfo& device,
                                           size_t most) {
  if (!suits_warp_groups(problem, device)) return {};
  std::vector<RankedTile> list;
  const FamilyLaw law =
      law_of(Family::warp_groups, MmaForm::mma, problem.a.type, problem.accumulate, device);
  for_warp_groups(problem, device, [&](const Tile& tile) {
    list.push_back(warp_group_with_best_slices(tile, problem, device, law));
  });
  keep_first_of_fastest(list, most);
  return list;
}

}  // namespace jute::plan
