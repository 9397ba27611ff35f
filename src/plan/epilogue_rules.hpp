#pragma once
// What a plan's epilogue obeys.
#include <jute/plan/plan.hpp>

#include <vector>

namespace jute::plan {

/// Kernels are written for the expression, and it names the scale factors and C that the plan has.
[[nodiscard]] std::vector<Error> epilogue_rules(const EpiloguePlan& epilogue);

}  // namespace jute::plan
