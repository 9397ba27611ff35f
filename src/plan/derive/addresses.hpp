#pragma once
// Every address of a kernel, derived from the layouts of its plan.
#include <jute/plan/values/plan.hpp>

#include "plan/ask/broken_rule.hpp"

namespace jute::plan {

/// Fills in the addresses and the store order of a step whose layouts are chosen; where a layout
/// cannot be looked up by threads and values, they stay empty and the rules refuse the step.
void set_addresses(GemmStep& step);

/// Has the step all addresses that its instructions and copies need? For one whose addresses have
/// just been set `address_rules` says nothing then.
[[nodiscard]] bool has_addresses(const GemmStep& step);

/// The addresses of a step are those of its layouts.
[[nodiscard]] Errors address_rules(const GemmStep& step);

}  // namespace jute::plan
