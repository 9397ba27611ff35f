#pragma once
// Rules of a plan's epilogue.
#include <jute/plan/values/plan.hpp>

#include <vector>

#include "plan/ask/broken_rule.hpp"

namespace jute::plan {

/// Kernels are written for the expression, and it names the scale factors and C that the plan has.
[[nodiscard]] std::vector<Error> epilogue_rules(const EpiloguePlan& epilogue);

/// Only subtiles store a D that is contiguous along the kernel's M.
[[nodiscard]] Errors drain_rules(const GemmStep& step);

}  // namespace jute::plan
