#pragma once
// The part of D that draining threads hold.
#include <jute/plan/derive/operand/fragment.hpp>

#include "plan/ask/broken_rule.hpp"

namespace jute::plan {

[[nodiscard]] Fragment drained(const GemmStep& step);

/// The rules of those who drain.
[[nodiscard]] Errors parts_of_k_rules(const GemmStep& step);

}  // namespace jute::plan
