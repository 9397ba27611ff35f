// Slices of K in clocks.
#include "plan/cost/slice_cost.hpp"

#include <algorithm>
#include <cmath>

#include "plan/cost/fitted.hpp"

namespace jute::plan {

double clocks_to_reduce(const Block& block, const Cut& cut) {
  constexpr double kWarpsOfGroup = 4;
  const double bytes = block.m * block.n * block.sum_bytes;
  if (cut.reduction == SplitK::all_add) {
    const double parts = bytes / (fitted::kPartBytes * block.warps / kWarpsOfGroup);
    return fitted::kReductionByAll + bytes / fitted::kPartStores +
           std::ceil(parts / cut.split_k) * bytes / parts * cut.split_k / fitted::kPartLoadsOfAll;
  }
  if (cut.reduction == SplitK::distributed)
    return fitted::kReductionInCluster + fitted::kOfBlock * cut.split_k +
           bytes / fitted::kPartStores;
  return fitted::kReductionByLast + bytes / fitted::kPartStores +
         bytes / fitted::kPartLoads * cut.split_k;
}

}  // namespace jute::plan
