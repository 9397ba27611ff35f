#pragma once
// Consequences for a step that waits for its rows.
#include <jute/plan/derive/block/arrivals.hpp>

namespace jute::plan {

/// Gives the step the parameters that say where rows come to, with the flags of what comes and the
/// rows so many bytes behind them.
void add_arrivals(GemmStep& step, Index rows_at);
/// How many bytes those are, of a step that has them.
[[nodiscard]] Index rows_at(const GemmStep& step);

}  // namespace jute::plan
