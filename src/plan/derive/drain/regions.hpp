#pragma once
// Regions of the workspace, and the rules for them.
#include <jute/plan/values/plan.hpp>

#include <vector>

#include "plan/ask/broken_rule.hpp"

namespace jute::plan {

/// All regions that the step's kernel has, slices' among them; those that must be zero first.
[[nodiscard]] std::vector<WorkspaceRegion> step_regions(const GemmStep& step);

/// Regions of the workspace: whole, in their order, and as large as the kernels' parameters need.
[[nodiscard]] Errors workspace_rules(const Plan& plan);

}  // namespace jute::plan
