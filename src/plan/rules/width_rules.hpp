#pragma once
// Rules of kernels whose launches say how wide tiles are.
#include <jute/plan/values/plan.hpp>

#include "plan/ask/broken_rule.hpp"

namespace jute::plan {

[[nodiscard]] Errors width_rules(const GemmStep& step);

}  // namespace jute::plan
