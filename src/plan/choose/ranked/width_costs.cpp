// Costs by width: few stages do not hide how long a k-tile takes to come.
#include "plan/choose/ranked/width_costs.hpp"

#include "plan/cost/cost_model.hpp"
#include "plan/cost/fitted.hpp"
#include "plan/values/tile_width.hpp"

namespace jute::plan {
WidthCost limited(Index width, const KernelCost& cost, int stages) {
  WidthCost result{width, cost};
  double& least = result.cost.feed->least;
  least = std::max(least, fitted::kUntilCome / stages);
  return result;
}

double least_of(const KernelCost& cost, double rounds) {
  const Prediction& parts = cost.parts;
  const double k_block = std::max(parts.products, cost.feed ? cost.feed->least : 0.0);
  return parts.launch + parts.start +
         fitted::kLeastPower * rounds * (parts.k_blocks * k_block + parts.tile);
}

std::vector<WidthCost> width_costs(const Tile& tile, const KernelProblem& problem,
                                   const DeviceInfo& device) {
  std::vector<WidthCost> costs;
  // Beside the stages each group has its subtiles, and the block its barriers.
  constexpr Index kBarriers = 1024;
  const Index subtile = Index{kGroupRows} * subtile_of_widths(tile.n) * width_bytes(problem.d.type);
  const Index ring =
      (device.smem_bytes_per_block - kBarriers - kSubtilesOfWidths * subtile * tile.groups_m) /
      kRingUnit * kRingUnit;
  const Cuts cuts{tile.split_k_at_run_time, problem.m, problem.k, width_bytes(problem.a.type)};
  for_cuts(cuts, tile.m, device, [&](int split_k) {
    for (const int width : tile_widths(tile.m, tile.n)) {
      Tile narrow = tile;
      narrow.n = width;
      narrow.split_k = split_k;
      costs.push_back(limited(width, kernel_cost(narrow, problem, device),
                              stages_in(ring, Index{tile.m + width} * tile.k_bytes)));
    }
  });
  return costs;
}

}  // namespace jute::plan
