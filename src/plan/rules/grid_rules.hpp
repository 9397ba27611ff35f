#pragma once
// Whether a plan has more blocks than a launch may have.
#include <jute/plan/values/plan.hpp>

#include "plan/ask/broken_rule.hpp"

namespace jute::plan {

/// The rules that the plan's launches break at the planned numbers.
[[nodiscard]] Errors grid_rules(const Plan& plan);

}  // namespace jute::plan
