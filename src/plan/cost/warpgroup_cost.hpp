#pragma once
// The clocks of a kernel in which warpgroups multiply, by counts of its blocks and rates that were
// measured on an H200; ratios between tiles of one problem are what counts.
#include <jute/plan/cost/prediction.hpp>
#include <jute/plan/values/block.hpp>

#include "plan/chip/chip_rates.hpp"

namespace jute::plan {

[[nodiscard]] Prediction warpgroup_clocks(const Block& block, const Grid& grid, const Cut& cut,
                                          const ChipRates& rates);

/// Until the first products.
[[nodiscard]] double clocks_until_products(const Block& block);

}  // namespace jute::plan
