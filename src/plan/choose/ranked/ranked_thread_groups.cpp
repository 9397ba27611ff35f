// Holds the model to every tile, and to ways to cut K.
#include "plan/choose/ranked/ranked_thread_groups.hpp"

#include <algorithm>

#include "plan/choose/ranked/fastest.hpp"
#include "plan/cost/release.hpp"
#include "plan/cost/slice_cost.hpp"
#include "plan/cost/tiles/thread_group_cost.hpp"
#include "plan/shapes/thread_groups.hpp"
#include "plan/values/tile_counts.hpp"

namespace jute::plan {
namespace {

constexpr int kThreadGroupManySlices = 128;

// The model was fitted to small problems. Of one that takes so long it expects so much too much.
constexpr double kLong = 2e5, kThreadGroupTooMuch = 0.07;

/// The slices of K with which the tile takes least; a few more must be worth their sums.
RankedTile thread_group_with_best_slices(const GroupTile& tile, const KernelProblem& problem,
                                         const DeviceInfo& device) {
  constexpr double kWorthIt = 0.97;
  const ThreadGroupWork work = thread_group_work(tile, problem);
  const Prediction whole = whole_thread_group(work, problem);
  RankedTile best{with_slices(whole, work, 1, problem, device).clocks, tile};
  if (problem.accumulate != DType::f32) return best;
  const int most =
      std::min(kThreadGroupManySlices, slices_within_cache({work.m, work.n}, problem, device));
  double least = kWorthIt * best.clocks;
  for (int slices = 2; slices <= most; ++slices) {
    const double own = with_slices(whole, work, slices, problem, device).clocks;
    if (own >= least) continue;
    least = best.clocks = own;
    best.tile.slices = slices;
  }
  return best;
}

RankedTile ranked_thread_group(int m, int n, const KernelProblem& problem,
                               const DeviceInfo& device) {
  RankedTile ranked = thread_group_with_best_slices(thread_group_tile(m, n), problem, device);
  const double tiles = tiles_of({m, n}, problem.m.value, problem.n.value, problem.batch.value);
  ranked.tile.release = release_for(ranked.tile.slices * tiles, device);
  ranked.clocks *= 1 - kThreadGroupTooMuch * std::min(ranked.clocks / kLong, 1.0);
  return ranked;
}

}  // namespace

std::vector<RankedTile> ranked_thread_groups(const KernelProblem& problem, const DeviceInfo& device,
                                             size_t most, const std::optional<TileShape>& tile) {
  if (!suits_thread_groups(device)) return {};
  if (tile) return {ranked_thread_group(tile->m, tile->n, problem, device)};
  std::vector<RankedTile> list;
  for_thread_groups(problem, device, [&](int m, int n) {
    list.push_back(ranked_thread_group(m, n, problem, device));
  });
  keep_first_of_fastest(list, most);
  return list;
}

}  // namespace jute::plan
