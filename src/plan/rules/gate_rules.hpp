#pragma once
// Holds a step of a gated product to what its kernel is written for.
#include "plan/ask/broken_rule.hpp"

#include <jute/plan/values/plan.hpp>

namespace jute::plan {

[[nodiscard]] Errors gate_rules(const GemmStep& step);

}  // namespace jute::plan
