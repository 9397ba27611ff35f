#pragma once
// A plan's choices, as a caller would ask for them.
#include <jute/plan/values/plan.hpp>

namespace jute::plan {

/// The caller's wishes, and in the place of each that was left open what the step has: planning by
/// them gives the same step, whatever is preferred then.
[[nodiscard]] Config choices(Config wishes, const GemmStep& step);
/// The same choices, and whether operands whose rows begin anywhere are copied first: for threads
/// that bring them, who read both.
[[nodiscard]] Config choices(Config wishes, const GemmStep& step, bool are_copied);

}  // namespace jute::plan
