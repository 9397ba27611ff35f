#pragma once
// Who moves the Views of a plan.
#include <jute/plan/values/plan.hpp>

#include <algorithm>
#include <variant>

namespace jute::test {

/// How many operands TMA moves by a View's map, C and D among them.
[[nodiscard]] inline int moved_by_maps(const Plan& plan) {
  const GemmStep& step = gemm_step(plan);
  const auto& drain = step.epilogue.drain;
  return int{tma_of(step.a).map.has_value()} + int{tma_of(step.b).map.has_value()} +
         int{drain.has_value() && drain->c_map.has_value()} +
         int{drain.has_value() && drain->map.has_value()};
}

/// Are operands copied around the product?
[[nodiscard]] inline bool packs(const Plan& plan) {
  return std::ranges::any_of(
      plan.steps, [](const Step& step) { return std::holds_alternative<MoveStep>(step); });
}

}  // namespace jute::test
