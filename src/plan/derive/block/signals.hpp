#pragma once
// Signals that the warps of a block wait for.
#include <jute/plan/values/plan.hpp>

namespace jute::plan {

/// The signals of a warp-specialised step whose tile, layouts and schedule are decided; none for
/// kernels whose threads all do the same.
[[nodiscard]] std::vector<Signal> signals(const GemmStep& step);

}  // namespace jute::plan
