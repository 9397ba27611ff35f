#pragma once
// The release of warps that load their own fragments: when the next may begin; and what those of
// stored elements take.
#include <jute/plan/ask/schedule.hpp>
#include <jute/plan/cost/prediction.hpp>
#include <jute/plan/values/block.hpp>

#include "plan/chip/chip_rates.hpp"

namespace jute::plan {

/// Blocks of an SM whose threads have stored elements of two k-tiles in registers; no more than the
/// grid has for each.
[[nodiscard]] int stored_blocks(const Block& block, const Grid& grid, const ChipRates& rates);
/// The price of stored elements in straight tiles: none of their kernels stands among the law's
/// times.
[[nodiscard]] Prediction stored_clocks(const Block& block, const Grid& grid,
                                       const ChipRates& rates);
/// When the next kernel may begin beside such blocks, by what their threads load and store.
[[nodiscard]] Release straight_release(const Block& block, const Grid& grid,
                                       const ChipRates& rates);

}  // namespace jute::plan
