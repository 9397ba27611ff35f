#pragma once
// Ways to cut a tile's K: whole, into slices of all tiles, or of those alone that a last wave has.
#include <jute/launch/device_info.hpp>
#include <jute/plan/values/block.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "plan/cost/fitted.hpp"
#include "plan/shapes/warpgroups/slices.hpp"
#include "plan/values/block_threads.hpp"
#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

/// Which cuts a family's kernels have.
struct CutRule {
  int most = 1;                 ///< slices
  bool are_filling = false;     ///< such alone that give every SM a block, two, and so on
  int step = 1;                 ///< from one number of slices to the next by this part of it
  double most_of_sm = 1 << 30;  ///< blocks of slices
  bool has_tails = false;       ///< whole tiles, and slices of those behind them
};

/// Calls `look` with slices of the tiles behind one or two waves less than all: of a last wave that
/// tiles would not fill each SM has a part.
template <class Look>
void for_cut_tails(const Block& block, const Grid& grid, double resident,
                   const KernelProblem& problem, const DeviceInfo& device, const Look& look) {
  constexpr int kMostSplitK = 16;
  constexpr Index kLeastOfSlice = 64;  // of K
  constexpr double kMostTiles = 1 << 30;
  if (problem.groups) return;
  const double at_once = std::floor(resident) * std::max(device.sm_count, 1);
  const double waves = std::floor(grid.tiles / at_once), rest = grid.tiles / at_once - waves;
  if (waves < 1 || rest == 0 || rest > fitted::kFilledWave || waves * at_once > kMostTiles) return;
  const double sums = block.m * block.n * width_bytes(problem.accumulate);
  for (const double whole : {waves, waves - 1}) {
    if (whole < 1) continue;
    const double behind = grid.tiles - whole * at_once;
    for (int split_k = 2; split_k <= kMostSplitK; ++split_k)
      if (problem.k.value >= kLeastOfSlice * split_k &&
          behind * split_k * sums <= static_cast<double>(device.l2_bytes))
        look(Cut{split_k, static_cast<Index>(whole * at_once)});
  }
}

/// Calls `look` with a block's whole K and with every cut that the rule has.
template <class Look>
void for_cuts(const CutRule& rule, const Block& block, const Grid& grid, double resident,
              const KernelProblem& problem, const DeviceInfo& device, const Look& look) {
  // Blocks of an SM, as they were timed: bench/results/2026-11-28-choices-of-other-types.md.
  constexpr std::array kBlocksOfSm{1, 2, 3, 4, 6, 8};
  look(Cut{});
  if (rule.most == 1 || !adds_as_one(problem.accumulate)) return;
  const TileShape tile{static_cast<int>(block.m), static_cast<int>(block.n), 0};
  const int most = std::min(rule.most, slices_within_cache(tile, problem, device));
  int last = 1;
  if (rule.are_filling)
    for (const int blocks : kBlocksOfSm) {
      const int count = std::min(most, static_cast<int>(blocks * device.sm_count / grid.tiles));
      if (count > last) look(Cut{last = count});
    }
  else
    for (int count = 2; count <= most && count * grid.tiles <= rule.most_of_sm * device.sm_count;
         count += std::max(1, count / rule.step))
      look(Cut{count});
  if (rule.has_tails) for_cut_tails(block, grid, resident, problem, device, look);
}

}  // namespace jute::plan
