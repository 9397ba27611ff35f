#pragma once
// From a step of a plan and the numbers of a run to a launch.
#include <jute/base/export.hpp>
#include <jute/launch/backend.hpp>
#include <jute/plan/ask/run_values.hpp>
#include <jute/plan/values/plan.hpp>

#include <span>

namespace JUTE_API jute {

/// The launch of plan.steps[step]: grid, block, shared memory and every parameter. A grid without
/// blocks means that there is nothing to launch. Pure but for encoding tensor maps; allocates
/// nothing once its thread has encoded one.
///   throws  out_of_range: a number does not fit its 32-bit parameter; illegal_problem: more blocks
///           than a grid has; overflow; illegal_tensor_map
[[nodiscard]] LaunchSpec bind(const Plan& plan, size_t step, const RunValues& run,
                              TensorMapEncoder& encoder);

/// The planned numbers of a completed problem; without addresses.
[[nodiscard]] RunValues run_values(const Problem& problem);
/// Likewise, with the widest tiles of a kernel that takes them from the launch.
[[nodiscard]] RunValues run_values(const Plan& plan);

/// Bytes that these regions take in a run.
[[nodiscard]] Index workspace_bytes(std::span<const WorkspaceRegion> regions, const RunValues& run);
/// The same of a plan's regions, at the planned numbers.
[[nodiscard]] Index workspace_bytes(const Plan& plan);

/// Bytes at the workspace's start that every run finds zero and leaves zero: those of the regions
/// that say so, which lie first and are as large in every run as they were planned.
[[nodiscard]] Index zeroed_bytes(const Plan& plan);
[[nodiscard]] Index zeroed_bytes(std::span<const WorkspaceRegion> regions, const RunValues& run);

}  // namespace jute
