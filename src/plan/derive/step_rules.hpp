#pragma once
// Rules of a completed step: its choices and what is derived from them.
#include <jute/plan/values/plan.hpp>

#include "plan/ask/broken_rule.hpp"

namespace jute::plan {

/// The rules of what is derived: addresses, and stages that fit and keep their swizzle.
[[nodiscard]] Errors stage_rules(const GemmStep& step, const DeviceInfo& device);
/// The rules of a step whose addresses have just been derived: those that are there need no second
/// look.
[[nodiscard]] Errors derived_rules(const GemmStep& step, const DeviceInfo& device);
/// All rules of a completed step.
[[nodiscard]] Errors step_rules(const GemmStep& step, const DeviceInfo& device);

}  // namespace jute::plan
