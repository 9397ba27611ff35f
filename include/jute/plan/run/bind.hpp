#pragma once
// From a step of a plan and the numbers of a run to a launch.
#include <jute/base/export.hpp>
#include <jute/launch/backend.hpp>
#include <jute/plan/ask/run_values.hpp>
#include <jute/plan/values/plan.hpp>

namespace JUTE_API jute {

/// The launch of plan.steps[step]: grid, block, shared memory and every parameter. A grid without
/// blocks means that there is nothing to launch. Pure but for encoding tensor maps; allocates
/// nothing once its thread has encoded one.
///   throws  out_of_range: a number does not fit its 32-bit parameter; illegal_problem: more blocks
///           than a grid has; overflow; illegal_tensor_map
[[nodiscard]] LaunchSpec bind(const Plan& plan, size_t step, const RunValues& run,
                              TensorMapEncoder& encoder);

}  // namespace jute
