#pragma once
// What a legal plan obeys. Every rule names its operand, its value and the nearest legal value.
#include <jute/plan/values/plan.hpp>

#include "plan/ask/broken_rule.hpp"
#include "plan/rules/mma_rules.hpp"
#include "plan/rules/smem_rules.hpp"

namespace jute::plan {

/// What must hold of types, tile, stages and raster before a TiledMma is built for the tile: a chip
/// has memory for it.
[[nodiscard]] Errors bound_rules(const GemmStep& step, const DeviceInfo& device);
/// The bounds and what the TiledMma asks of its tile. Together with mma_rules, which come first,
/// and smem_rules: what must hold before anything can be derived from a step.
[[nodiscard]] Errors tile_rules(const GemmStep& step, const DeviceInfo& device);
/// The rules of what is derived: addresses, and stages that fit and keep their swizzle.
[[nodiscard]] Errors stage_rules(const GemmStep& step, const DeviceInfo& device);
/// Likewise of a step whose addresses have just been derived: those that are there need no second
/// look.
[[nodiscard]] Errors derived_rules(const GemmStep& step, const DeviceInfo& device);
/// All rules of a completed step.
[[nodiscard]] Errors step_rules(const GemmStep& step, const DeviceInfo& device);

}  // namespace jute::plan
