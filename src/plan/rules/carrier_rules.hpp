#pragma once
// The rules of stages that a producer's warps fill.
#include <jute/plan/values/plan.hpp>

#include "plan/ask/broken_rule.hpp"

namespace jute::plan {

/// Rules of a step whose producer's warps copy A or B.
[[nodiscard]] Errors carrier_rules(const GemmStep& step);

}  // namespace jute::plan
