#pragma once
// Rules of tiles and stages before anything is derived from them. Every rule names its operand, its
// value and the nearest legal value.
#include <jute/plan/values/plan.hpp>

#include <string>

#include "plan/ask/broken_rule.hpp"

namespace jute::plan {

/// Rules of types, tile, stages and raster before a TiledMma is built for the tile: a chip has
/// memory for it.
[[nodiscard]] Errors bound_rules(const GemmStep& step, const DeviceInfo& device);
/// The bounds and what the TiledMma asks of its tile. Together with mma_rules, which come first,
/// and smem_rules: what must hold before anything can be derived from a step.
[[nodiscard]] Errors tile_rules(const GemmStep& step, const DeviceInfo& device);

/// The extents that a tile is a multiple of.
[[nodiscard]] ShapeMnk tile_unit(const GemmStep& step);
/// `128x256x64`
[[nodiscard]] std::string extents_text(const TileShape& tile);

}  // namespace jute::plan
