// Slices of K in clocks.
#include "plan/cost/slice_cost.hpp"

#include <algorithm>
#include <cmath>

#include "plan/cost/fitted.hpp"

namespace jute::plan {

double clocks_to_reduce(const Tile& tile, double tiles, int width) {
  const double bytes = static_cast<double>(tile.m) * tile.n * width;
  if (tile.reduction == SplitK::all_add) {
    const double parts = bytes / (fitted::kPartBytes * tile.groups_m);
    return fitted::kReductionByAll + bytes / fitted::kPartStoresOfAll +
           std::ceil(parts / tile.split_k) * bytes / parts * tile.split_k / fitted::kPartLoadsOfAll;
  }
  if (tile.reduction == SplitK::distributed)
    return fitted::kReductionInCluster + fitted::kOfBlock * tile.split_k + bytes / fitted::kLeaves +
           tiles * bytes * std::max(tile.split_k - 1, 0) / fitted::kThroughClusters;
  return fitted::kReductionByLast + bytes / fitted::kPartStores +
         (fitted::kOfSlice + bytes / fitted::kPartLoads) * tile.split_k;
}

}  // namespace jute::plan
