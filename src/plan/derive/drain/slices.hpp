#pragma once
// Slices of K: what blocks that share a tile leave for each other.
#include <jute/plan/values/plan.hpp>

#include "plan/ask/broken_rule.hpp"

namespace jute::plan {

/// Blocks of the largest cluster that every chip with clusters runs (CUDA C++ Programming Guide,
/// Thread Block Clusters): as many slices of K may meet in one.
inline constexpr int kMostSlicesOfCluster = 8;
/// Bytes, of which each region of the workspace that kernels count in or leave sums in is a multiple.
inline constexpr Index kRegionUnit = 256;
inline constexpr int kCounterBytes = 4;

/// The workspace of a sliced step: `arrived` counts the blocks of each tile, `parts` holds their
/// sums in the order of the threads' registers; none for a step that is not sliced.
[[nodiscard]] std::vector<WorkspaceRegion> slice_regions(const GemmStep& step);

/// Regions of the workspace: whole, in their order, and as large as the kernels' parameters need.
[[nodiscard]] Errors workspace_rules(const Plan& plan);
[[nodiscard]] Errors slice_rules(const GemmStep& step, const DeviceInfo& device);

}  // namespace jute::plan
