#pragma once
// Rules of kernels of groups: nothing of a tile may follow from other groups but its place.
#include <jute/plan/values/plan.hpp>

#include "plan/ask/broken_rule.hpp"

namespace jute::plan {

[[nodiscard]] Errors group_rules(const GemmStep& step);

}  // namespace jute::plan
