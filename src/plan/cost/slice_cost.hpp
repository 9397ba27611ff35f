#pragma once
// The cost of a tile's slices of K.
#include <jute/plan/values/block.hpp>

namespace jute::plan {

/// Clocks from the last product of a tile's slices to their sum, where all blocks have their data
/// at the same time.
[[nodiscard]] double clocks_to_reduce(const Block& block, const Cut& cut);

}  // namespace jute::plan
