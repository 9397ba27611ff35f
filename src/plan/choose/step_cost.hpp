#pragma once
// Prices of steps and plans.
#include <jute/plan/choose/width_choices.hpp>
#include <jute/plan/cost/kernel_cost.hpp>

#include <optional>
#include <vector>

#include "plan/cost/law.hpp"

namespace jute::plan {

/// With tiles of each width that a launch may say, in each number of slices.
[[nodiscard]] std::vector<WidthCost> costs_of_widths(const Plan& plan);

/// The price of a step by the law.
[[nodiscard]] std::optional<Prediction> predicted(const GemmStep& step, const DeviceInfo& device);
/// The price of a problem's step; where warpgroups multiply groups, of as many rows as is usual.
[[nodiscard]] std::optional<Prediction> predicted(const GemmStep& step, const Problem& whole,
                                                  const DeviceInfo& device);
/// The law of a step's family.
[[nodiscard]] FamilyLaw law_of(const GemmStep& step, const DeviceInfo& device);

}  // namespace jute::plan
