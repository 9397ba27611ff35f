#pragma once
// Consequences of a plan's problem and choices, which nobody else may decide.
#include <jute/plan/values/plan.hpp>

#include "plan/ask/broken_rule.hpp"

namespace jute::plan {

/// Fields of the GEMM step that say other than what follows from the problem and from the step's
/// choices. Of a step that keeps all rules of its own.
[[nodiscard]] Errors consequence_rules(const Plan& plan, const GemmStep& step);

}  // namespace jute::plan
