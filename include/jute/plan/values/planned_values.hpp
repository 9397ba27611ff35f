#pragma once
// The numbers of the run that was planned for, and what the workspace takes in a run.
#include <jute/base/export.hpp>
#include <jute/plan/ask/run_values.hpp>
#include <jute/plan/values/plan.hpp>
#include <jute/plan/values/tile_width.hpp>

#include <span>

namespace JUTE_API jute {

/// The planned numbers of a completed problem; without addresses.
[[nodiscard]] RunValues run_values(const Problem& problem);
/// The planned values, with the widest tiles of a kernel that takes them from the launch.
[[nodiscard]] RunValues run_values(const Plan& plan);
/// The step whose launches say how many columns tiles have; none of most plans, which may be shown
/// without their GEMM.
[[nodiscard]] const GemmStep* step_of_widths(const Plan& plan);

/// Has a run's launch take tiles of so many columns, which are one of the step's widths, in so many
/// slices of K.
///   throws  out_of_range: more slices than blocks run together, for the rows of the run
void set_width(RunValues& run, const GemmStep& step, const WidthChoice& choice);

/// Bytes that these regions take in a run.
[[nodiscard]] Index workspace_bytes(std::span<const WorkspaceRegion> regions, const RunValues& run);
/// The same of a plan's regions, at the planned numbers: parts of D take them one after the other.
[[nodiscard]] Index workspace_bytes(const Plan& plan);

/// Bytes at the workspace's start that every run finds zero and leaves zero: those of the regions
/// that say so, which lie first and are as large in every run as they were planned.
[[nodiscard]] Index zeroed_bytes(const Plan& plan);
[[nodiscard]] Index zeroed_bytes(std::span<const WorkspaceRegion> regions, const RunValues& run);

}  // namespace jute
