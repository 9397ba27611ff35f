#pragma once
// Rows past the edge of A and B that a step's stages leave out.
#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

/// Runs in which tiles may reach past M or N: the planned one, or also those of other extents.
struct EdgeRuns {
  bool m_at_run_time = false, n_at_run_time = false;  ///< the kernel's
};

/// In multiples of how many rows a step may leave out those of an operand; 0: not at all.
[[nodiscard]] int edge_unit(const GemmStep& step, const OperandPlan& operand);
/// Has a step that may leave out rows none past an edge in whole units, so that it takes what one
/// that left them out would?
[[nodiscard]] bool has_no_rows_past(const GemmStep& step);
/// Leaves out what lies past an edge, where tiles reach past it with a unit or more: if the caller
/// says so, or if products would wait for zeros. Needs the boxes of stages.
void choose_edge_rows(GemmStep& step, const KernelProblem& problem, const EdgeRuns& runs,
                      const Config& config);

}  // namespace jute::plan
