#pragma once
// The tile of a producer and consumers, as a step has it.
#include <jute/plan/values/plan.hpp>
#include <jute/plan/values/tile.hpp>

namespace jute::plan {

/// As far as models ask.
[[nodiscard]] Tile warpgroup_tile_of(const GemmStep& step, const DeviceInfo& device);

}  // namespace jute::plan
