#pragma once
// Which parts of a tile a block drains, and what it multiplies meanwhile.
#include <jute/base/export.hpp>
#include <jute/plan/plan.hpp>

namespace JUTE_API jute {

/// How many blocks of a cluster of slices drain an equal part of their tile each, in the order of
/// stores: as many as its drain can be cut for; one alone where what an epilogue gathers or packs
/// needs whole tiles.
[[nodiscard]] int shares(const GemmStep& step);

/// Is the next tile's first k-tile multiplied while a tile is drained? Where each k-tile is summed
/// on its own, its sums have registers apart from those of the tile.
[[nodiscard]] bool multiplies_ahead(const GemmStep& step);

}  // namespace jute
