#pragma once
// What slices of K cost a tile.
#include "plan/values/candidates.hpp"

namespace jute::plan {

/// Clocks from the last product of a tile's slices to their sum, whose elements have `width` bytes,
/// where all blocks have their data at the same time; `tiles` are as many at once.
[[nodiscard]] double clocks_to_reduce(const Tile& tile, double tiles, int width);

}  // namespace jute::plan
