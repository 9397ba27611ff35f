// Costs by width and number of slices, of which each has k-tiles to fill some stages.
#include "plan/choose/families/width_costs.hpp"

#include <jute/base/checked.hpp>

#include <algorithm>

#include "plan/chip/line.hpp"
#include "plan/choose/families/priced.hpp"
#include "plan/values/tile_width.hpp"

namespace jute::plan {
namespace {

/// As many as leave a tile's rows place on the chip.
int most_cuts(const Tile& tile, const KernelProblem& problem, const DeviceInfo& device) {
  constexpr Index kLeastKTiles = 6;  // bench/results/2026-11-23-ranges-tile-width.md
  if (!tile.split_k_at_run_time) return 1;
  const Index k_bytes = problem.k.value * width_bytes(problem.a.type);
  const Index rows = ceil_div(std::max<Index>(problem.m.value, 1), tile.m);
  return static_cast<int>(std::min(k_bytes / kLine / kLeastKTiles, device.sm_count / rows));
}

}  // namespace

std::vector<WidthCost> costs_of_tile(const Tile& tile, const KernelProblem& problem,
                                     const DeviceInfo& device, std::span<const int> widths,
                                     const std::function<int(int)>& stages_of) {
  std::vector<WidthCost> costs;
  const int most = most_cuts(tile, problem, device);
  Tile narrow = tile;
  for (narrow.split_k = 1; narrow.split_k <= std::max(most, 1);
       narrow.split_k += std::max(1, narrow.split_k / 4))
    for (const int width : widths) {
      const int stages = stages_of(width);
      if (stages < 1) continue;
      narrow.n = width;
      costs.push_back({width, tile_cost(narrow, problem, device)});
      costs.back().cost.block.few_stages = stages;
    }
  return costs;
}

std::vector<WidthCost> costs_of_tile(const Tile& tile, const KernelProblem& problem,
                                     const DeviceInfo& device) {
  // Beside the stages each group has its subtiles, and the block its barriers.
  constexpr Index kBarriers = 1024;
  const Index subtile = Index{kGroupRows} * subtile_of_widths(tile.n) * width_bytes(problem.d.type);
  const Index ring =
      (device.smem_bytes_per_block - kBarriers - kSubtilesOfWidths * subtile * tile.groups_m) /
      kRingUnit * kRingUnit;
  return costs_of_tile(tile, problem, device, tile_widths(tile.m, tile.n), [&](int width) {
    return stages_in(ring, Index{tile.m + width} * tile.k_bytes);
  });
}

}  // namespace jute::plan
