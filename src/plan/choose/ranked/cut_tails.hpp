#pragma once
// Last waves that tiles would not fill: of those behind whole waves slices give each SM a part.
#include <algorithm>
#include <cmath>

#include "plan/choose/ranked/fastest.hpp"
#include "plan/cost/fitted.hpp"
#include "plan/cost/law.hpp"
#include "plan/shapes/tile_block.hpp"
#include "plan/shapes/warpgroups/slices.hpp"
#include "plan/values/block_threads.hpp"
#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

/// Calls `look` with slices of the tiles behind one or two waves less than all: of a last wave that
/// tiles would not fill each SM has a part.
template <class Look>
void for_cut_tails(const TileShape& tile, double tiles, double resident,
                   const KernelProblem& problem, const DeviceInfo& device, const Look& look) {
  constexpr int kMostSplitK = 16;
  constexpr Index kLeastOfSlice = 64;  // of K
  constexpr double kMostTiles = 1 << 30;
  if (problem.groups || !adds_as_one(problem.accumulate)) return;
  const double at_once = std::floor(resident) * std::max(device.sm_count, 1);
  const double waves = std::floor(tiles / at_once), rest = tiles / at_once - waves;
  if (waves < 1 || rest == 0 || rest > fitted::kFilledWave || waves * at_once > kMostTiles) return;
  const double sums = static_cast<double>(tile.m) * tile.n * width_bytes(problem.accumulate);
  for (const double whole : {waves, waves - 1}) {
    if (whole < 1) continue;
    const double behind = tiles - whole * at_once;
    for (int split_k = 2; split_k <= kMostSplitK; ++split_k)
      if (problem.k.value >= kLeastOfSlice * split_k &&
          behind * split_k * sums <= static_cast<double>(device.l2_bytes))
        look(Cut{split_k, static_cast<Index>(whole * at_once)});
  }
}

/// Adds the tile to what is ranked, `block` being its: whole, cut into slices, and with a last wave
/// alone that is, for `worth` of what the law says of that.
inline void add_cuts(NearFastest& near, Tile tile, const Block& block, const FamilyLaw& law,
                     double worth, const KernelProblem& problem, const DeviceInfo& device) {
  const Grid grid = grid_of(block, problem);
  const ClocksOfCuts clocks_of(block, grid, law);
  const auto add = [&](const Cut& cut, double of_clocks) {
    const double clocks = clocks_of(cut, near.limit()).clocks;
    tile.split_k = cut.split_k;
    tile.whole_tiles = cut.whole_tiles;
    near.add({of_clocks * clocks, tile});
  };
  const TileShape shape{tile.m, tile.n, 0};
  for_filling_slices(shape, problem, device, [&](int split_k) { add({split_k}, 1); });
  for_cut_tails(shape, grid.tiles, clocks_of.resident(), problem, device,
                [&](const Cut& cut) { add(cut, worth); });
}

}  // namespace jute::plan
