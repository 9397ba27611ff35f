#pragma once
// What the model of warp-specialised kernels makes of steps and plans.
#include <jute/plan/choose/width_choices.hpp>
#include <jute/plan/cost/kernel_cost.hpp>

#include <optional>

#include "plan/values/candidates.hpp"
#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

/// Of a step, which is to suit every M or the planned one alone; none where it is not
/// warp-specialised, or threads multiply by themselves.
[[nodiscard]] std::optional<KernelCost> kernel_cost(const GemmStep& step, const DeviceInfo& device,
                                                    bool m_at_run_time);
/// Likewise with the copies that a plan makes, of the work of its step or of one like it.
[[nodiscard]] std::optional<KernelCost> kernel_cost(const Plan& plan, const Work& work,
                                                    bool m_at_run_time);

}  // namespace jute::plan
