#pragma once
// What each width of a kernel's tiles is expected to take, in each number of slices.
#include <jute/plan/cost/width_cost.hpp>

#include <algorithm>
#include <vector>

#include "plan/chip/line.hpp"
#include "plan/values/candidates.hpp"
#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

/// What each width of such a tile is expected to take, in each number of slices.
[[nodiscard]] std::vector<WidthCost> width_costs(const Tile& tile, const KernelProblem& problem,
                                                 const DeviceInfo& device);

/// A cost, where so many stages hide how long a k-tile takes to come.
[[nodiscard]] WidthCost limited(Index width, const KernelCost& cost, int stages);
/// Clocks that so many rounds take at least: cheap, to leave out what cannot be the best.
[[nodiscard]] double least_of(const KernelCost& cost, double rounds);

/// What the tiles of a launch may be cut by.
struct Cuts {
  bool split_k_at_run_time;
  const Extent& m;  ///< of the kernel: along which tiles have their rows
  const Extent& k;
  int width;  ///< of an element of A, bytes
};

/// Visits numbers of slices, each with k-tiles to fill some stages, as many as leave a tile's rows
/// place on the chip.
template <class Visit>
void for_cuts(const Cuts& cuts, Index tile_m, const DeviceInfo& device, const Visit& visit) {
  constexpr Index kLeastKTiles = 6;  // bench/results/2026-11-23-ranges-tile-width.md
  visit(1);
  if (!cuts.split_k_at_run_time) return;
  const Index most = std::min(cuts.k.value * cuts.width / kLine / kLeastKTiles,
                              device.sm_count / ceil_div(std::max<Index>(cuts.m.value, 1), tile_m));
  for (int split_k = 2; split_k <= most; split_k += std::max(1, split_k / 4)) visit(split_k);
}

}  // namespace jute::plan
