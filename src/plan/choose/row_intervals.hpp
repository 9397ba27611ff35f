#pragma once
// A range of M where the kernels have no costs that are cheap to compare for each run: M is shared
// out among them once for all.
#include <jute/plan/values/plan.hpp>

#include <vector>

#include "plan/choose/planning.hpp"

namespace jute::plan {

/// The fewest kernels, each with the rows from behind the one before it to those of its own
/// problem, with which no M that is looked at loses more than the limits allow; where more
/// kernels than that were needed, as many that lose as little as they can.
[[nodiscard]] std::vector<Plan> plans_of_intervals(const Planning& planning);

/// What a model expects of the kernel for each M; nothing where none speaks of it.
[[nodiscard]] std::vector<double> clocks_for(Plan plan, const std::vector<Index>& rows);

}  // namespace jute::plan
