#pragma once
// What models make of steps and plans.
#include <jute/plan/choose/width_choices.hpp>
#include <jute/plan/cost/kernel_cost.hpp>

#include <optional>
#include <vector>

#include "plan/cost/law.hpp"

namespace jute::plan {

/// Of a step, which is to suit every M or the planned one alone; none where it is not
/// warp-specialised, or threads multiply by themselves.
[[nodiscard]] std::optional<KernelCost> kernel_cost(const GemmStep& step, const DeviceInfo& device,
                                                    bool m_at_run_time);
/// Of a plan's step, with the copies that it makes.
[[nodiscard]] std::optional<KernelCost> kernel_cost(const Plan& plan, bool m_at_run_time);
/// With tiles of each width that a launch may say, in each number of slices.
[[nodiscard]] std::vector<WidthCost> costs_of_widths(const Plan& plan);

/// What the law says of a step; none of tiles of warpgroups, which have a cost for every M.
[[nodiscard]] std::optional<Prediction> predicted(const GemmStep& step, const DeviceInfo& device);
/// The law of a step's family.
[[nodiscard]] FamilyLaw law_of(const GemmStep& step, const DeviceInfo& device);
/// What a step takes for any number of rows of D, so many of which a block has, where it reads B
/// once for them; none of other steps.
[[nodiscard]] std::optional<KernelCost> streamed_cost(const GemmStep& step,
                                                      const DeviceInfo& device);

}  // namespace jute::plan
