// Holds the model to every tile, and to ways to cut K.
#include "plan/choose/ranked/ranked_warp_groups.hpp"

#include <algorithm>

#include "plan/choose/ranked/fastest.hpp"
#include "plan/cost/release.hpp"
#include "plan/cost/slice_cost.hpp"
#include "plan/cost/tiles/staged_amounts.hpp"
#include "plan/shapes/warp_groups.hpp"
#include "plan/values/tile_counts.hpp"

namespace jute::plan {
namespace {

/// The slices of K with which the tile takes least.
RankedTile warp_group_with_best_slices(const WarpGroupWork& work, const KernelProblem& problem,
                                       const DeviceInfo& device, const FamilyLaw& law) {
  constexpr int kManySlices = 32;
  constexpr double kMostBlocks = 2;  // of an SM, where K is cut
  const Amounts amounts = amounts_of(work, problem, device, law);
  const auto clocks = [&](int split_k) {
    return by_law(amounts, {split_k}, law.of, law.rates).clocks;
  };
  RankedTile best{clocks(1), warpgroup_tile(work)};
  const double tiles =
      tiles_of({work.m, work.n}, problem.m.value, problem.n.value, problem.batch.value);
  const int most = std::min(kManySlices, slices_within_cache({work.m, work.n}, problem, device));
  for (int split_k = 2; split_k <= most && split_k * tiles <= kMostBlocks * device.sm_count;
       split_k += std::max(1, split_k / 4)) {
    const double own = clocks(split_k);
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
  const FamilyLaw law = law_of(Family::warp_groups, MmaForm::mma, problem, device);
  for_warp_groups(problem, device, [&](const WarpGroupWork& work) {
    list.push_back(warp_group_with_best_slices(work, problem, device, law));
  });
  keep_first_of_fastest(list, most);
  return list;
}

}  // namespace jute::plan
