#pragma once
// The usual epilogue of a problem.
#include <jute/base/export.hpp>
#include <jute/epilogue/types.hpp>
#include <jute/plan/ask/problem.hpp>

namespace JUTE_API jute {

/// alpha*acc + beta*c without what the scale factors leave out: no alpha where it is 1, no c where
/// beta is 0. A beta of 1 stays: its kernel holds the 1.
[[nodiscard]] EpilogueExpression scaled_sum(Factor alpha, Factor beta);

/// When a kernel of the expression reads C, whose beta is 0, 1 or a number of each run.
[[nodiscard]] CRead c_read(const EpilogueExpression& expression, Factor beta);
[[nodiscard]] CRead c_read(const Problem& problem);
/// Does a run with this beta read it?
[[nodiscard]] bool reads_c(CRead read, double beta);
[[nodiscard]] bool reads_c(const Problem& problem, double beta);

}  // namespace jute
