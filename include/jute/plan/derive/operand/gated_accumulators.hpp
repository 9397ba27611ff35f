#pragma once
// Which of a thread's accumulators are a gate's, and which they gate.
#include <jute/plan/values/plan.hpp>

namespace JUTE_API jute {

/// Accumulators of a step with a gate. A thread holds as much of a tile of the gate as of D's.
struct GatedAccumulators {
  Layout gate;      ///< accumulator of D's tile -> accumulator of the gate
  Index other = 0;  ///< from there to the one that it gates
};
[[nodiscard]] GatedAccumulators gated_accumulators(const GemmStep& step);

}  // namespace jute
