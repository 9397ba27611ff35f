#pragma once
// Rules of a schedule.
#include <jute/plan/values/plan.hpp>

#include "plan/ask/broken_rule.hpp"

namespace jute::plan {

/// The launch's cluster: in a grid of tiles along M, N and slices of K, in one that walks in a row.
[[nodiscard]] Dim3 launched_cluster(const KernelSchedule& schedule);

/// Warps of its producer; as many as give registers away where it has none.
[[nodiscard]] int producer_warps(const KernelSchedule& schedule);

/// Roles against threads and registers of the chip, hops against the main loop, clusters and grids
/// against each other.
[[nodiscard]] Errors schedule_rules(const GemmStep& step, const DeviceInfo& device);

}  // namespace jute::plan
