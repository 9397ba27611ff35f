// Holds the model to every tile, and to ways to cut K.
#include "plan/choose/ranked/ranked_thread_groups.hpp"

#include <algorithm>

#include "plan/choose/ranked/cut_tails.hpp"
#include "plan/choose/ranked/fastest.hpp"
#include "plan/cost/fitted.hpp"
#include "plan/cost/law.hpp"
#include "plan/cost/release.hpp"
#include "plan/cost/slice_cost.hpp"
#include "plan/shapes/thread_groups.hpp"
#include "plan/values/tile_counts.hpp"

namespace jute::plan {
namespace {

constexpr int kThreadGroupManySlices = 128;

/// The slices of K with which the tile takes least.
RankedTile ranked_thread_group(int m, int n, const KernelProblem& problem, const DeviceInfo& device,
                               const FamilyLaw& law) {
  const Tile tile = thread_group_tile(m, n);
  const Block block = thread_group_block(tile, problem);
  const Grid grid = grid_of(block, problem);
  const ClocksOfCuts clocks_of(block, grid, law);
  RankedTile best{clocks_of({}).clocks, tile};
  const int most =
      problem.accumulate == DType::f32
          ? std::min(kThreadGroupManySlices, slices_within_cache({m, n}, problem, device))
          : 1;
  for (int split_k = 2; split_k <= most; ++split_k)
    if (const double own = clocks_of({split_k}).clocks; own < best.clocks) {
      best.clocks = own;
      best.tile.split_k = split_k;
    }
  if (problem.accumulate == DType::f32)
    for_cut_tails({m, n}, grid.tiles, block.most_resident, problem, device, [&](const Cut& cut) {
      const double own = fitted::kWorthOfThreadsTail * clocks_of(cut).clocks;
      if (own >= best.clocks) return;
      best.clocks = own;
      best.tile.split_k = cut.split_k;
      best.tile.whole_tiles = cut.whole_tiles;
    });
  const double tiles = tiles_of({m, n}, problem.m.value, problem.n.value, problem.batch.value);
  best.tile.release = release_for(best.tile.split_k * tiles, device);
  return best;
}

}  // namespace

std::vector<RankedTile> ranked_thread_groups(const KernelProblem& problem, const DeviceInfo& device,
                                             size_t most, const std::optional<TileShape>& tile) {
  if (!suits_thread_groups(device)) return {};
  const FamilyLaw law =
      law_of(Family::thread_groups, MmaForm::fma, problem.a.type, problem.accumulate, device);
  if (tile) return {ranked_thread_group(tile->m, tile->n, problem, device, law)};
  std::vector<RankedTile> list;
  for_thread_groups(problem, device, [&](int m, int n) {
    list.push_back(ranked_thread_group(m, n, problem, device, law));
  });
  keep_first_of_fastest(list, most);
  return list;
}

}  // namespace jute::plan
