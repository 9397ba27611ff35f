#pragma once
// What a step takes, by the work that was kept of it.
#include <jute/plan/cost/kernel_cost.hpp>
#include <jute/plan/cost/prediction.hpp>
#include <jute/plan/values/work.hpp>

#include <optional>

#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

/// None of tiles of warpgroups, which have a cost for every M.
[[nodiscard]] std::optional<Prediction> predicted(const Work& work, const DeviceInfo& device);

/// What tiles of warpgroups take, for every M or for the planned one alone; none of others.
[[nodiscard]] std::optional<KernelCost> warpgroup_cost(const Work& work, const DeviceInfo& device,
                                                       bool m_at_run_time);
/// What a step takes for any number of rows of D, so many of which a block has, where it reads B
/// once for them; none of other steps.
[[nodiscard]] std::optional<KernelCost> streamed_cost(const Work& work, const DeviceInfo& device);

}  // namespace jute::plan
