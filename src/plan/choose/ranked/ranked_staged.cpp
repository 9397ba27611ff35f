// Holds the law to every tile, and to ways to cut K.
#include "plan/choose/ranked/ranked_staged.hpp"

#include <algorithm>
#include <utility>

#include "plan/choose/ranked/cut_tails.hpp"
#include "plan/choose/ranked/fastest.hpp"
#include "plan/choose/ranked/priced.hpp"
#include "plan/cost/fitted.hpp"
#include "plan/cost/release.hpp"
#include "plan/shapes/thread_groups.hpp"
#include "plan/shapes/thread_tiles.hpp"
#include "plan/shapes/warp_groups.hpp"
#include "plan/shapes/warp_tiles.hpp"

namespace jute::plan {
namespace {

/// A producer's tile with the cut that takes least, and what others leave of the chip.
class BestCut {
 public:
  BestCut(const Tile& tile, const Block& block, const KernelProblem& problem, const FamilyLaw& law)
      : grid_(grid_of(block, problem)),
        clocks_(block, grid_, law),
        best_{clocks_({}).clocks, tile} {}
  BestCut(const BestCut&) = delete;
  BestCut& operator=(const BestCut&) = delete;

  void look(const Cut& cut, double worth = 1) {
    const double own = worth * clocks_(cut).clocks;
    if (own >= best_.clocks) return;
    best_.clocks = own;
    best_.tile.split_k = cut.split_k;
    best_.tile.whole_tiles = cut.whole_tiles;
  }
  [[nodiscard]] double tiles() const { return grid_.tiles; }
  [[nodiscard]] double resident() const { return clocks_.resident(); }
  [[nodiscard]] RankedTile released(const DeviceInfo& device) const {
    RankedTile best = best_;
    best.tile.release = release_for(best.tile.split_k * tiles(), device);
    return best;
  }

 private:
  Grid grid_;
  ClocksOfCuts clocks_;
  RankedTile best_;
};

RankedTile ranked_warp_group(const Tile& tile, const KernelProblem& problem,
                             const DeviceInfo& device, const FamilyLaw& law) {
  constexpr int kManySlices = 32;
  constexpr double kMostBlocks = 2;  // of an SM, where K is cut
  const Block block = warp_group_block(tile, problem);
  BestCut best(tile, block, problem, law);
  const int most = std::min(kManySlices, slices_within_cache({tile.m, tile.n}, problem, device));
  for (int split_k = 2; split_k <= most && split_k * best.tiles() <= kMostBlocks * device.sm_count;
       split_k += std::max(1, split_k / 4))
    best.look({split_k});
  return best.released(device);
}

RankedTile ranked_thread_group(const Tile& tile, const KernelProblem& problem,
                               const DeviceInfo& device, const FamilyLaw& law) {
  constexpr int kManySlices = 128;
  const Block block = thread_group_block(tile, problem);
  BestCut best(tile, block, problem, law);
  if (problem.accumulate != DType::f32) return best.released(device);
  const TileShape shape{tile.m, tile.n};
  const int most = std::min(kManySlices, slices_within_cache(shape, problem, device));
  for (int split_k = 2; split_k <= most; ++split_k) best.look({split_k});
  for_cut_tails(shape, best.tiles(), best.resident(), problem, device,
                [&](const Cut& cut) { best.look(cut, fitted::kWorthOfThreadsTail); });
  return best.released(device);
}

}  // namespace

std::vector<RankedTile> ranked_warp_groups(const KernelProblem& problem, const DeviceInfo& device,
                                           size_t most) {
  if (!suits_warp_groups(problem, device)) return {};
  std::vector<RankedTile> list;
  const FamilyLaw law = law_of(Family::warp_groups, MmaForm::mma, problem, device);
  for_warp_groups(problem, device, [&](const Tile& tile) {
    list.push_back(ranked_warp_group(tile, problem, device, law));
  });
  keep_first_of_fastest(list, most);
  return list;
}

std::vector<RankedTile> ranked_thread_groups(const KernelProblem& problem, const DeviceInfo& device,
                                             size_t most, const std::optional<TileShape>& tile) {
  if (!suits_thread_groups(device)) return {};
  const FamilyLaw law = law_of(Family::thread_groups, MmaForm::fma, problem, device);
  std::vector<RankedTile> list;
  const auto look = [&](int m, int n) {
    list.push_back(ranked_thread_group(thread_group_tile(m, n), problem, device, law));
  };
  if (tile)
    look(tile->m, tile->n);
  else
    for_thread_groups(problem, device, look);
  keep_first_of_fastest(list, most);
  return list;
}

std::vector<RankedTile> ranked_warp_tiles(const KernelProblem& problem, const DeviceInfo& device,
                                          size_t most, double limit) {
  if (!suits_warp_tiles(problem, device)) return {};
  NearFastest near(limit);
  const Family family = warp_tiles_of(problem, device);
  const FamilyLaw law = law_of(family, MmaForm::mma, problem, device);
  for_warp_tiles(problem, device, [&](const Tile& tile) {
    const Block block = warp_tile_block(tile, row_of(family).transfer, problem);
    if (!fits_block(block, device)) return;
    add_cuts(near, tile, block, law, fitted::kWorthOfTail, problem, device);
  });
  std::vector<RankedTile> list = std::move(near).list();
  keep_first_of_fastest(list, most);
  return list;
}

std::vector<RankedTile> ranked_thread_tiles(const KernelProblem& problem, const DeviceInfo& device,
                                            size_t most) {
  if (!may_be_staged(problem, device)) return {};
  NearFastest near;
  const FamilyLaw law = law_of(Family::threads_async, MmaForm::fma, problem, device);
  for_thread_tiles(problem, device, [&](const Tile& tile) {
    const Block block = thread_tile_block(tile, thread_tile_accesses(tile, problem), problem);
    if (block.smem_bytes > static_cast<double>(device.smem_bytes_per_block)) return;
    add_cuts(near, tile, block, law, fitted::kWorthOfThreadsTail, problem, device);
  });
  std::vector<RankedTile> list = std::move(near).list();
  keep_fastest(list, most);
  return list;
}

}  // namespace jute::plan
