#pragma once
// For how many stores to D a thread asks together for what they take from C and from inputs: later
// loads may be of what earlier stores wrote, so no compiler asks ahead.
#include <jute/plan/values/plan.hpp>

namespace jute::plan {

/// Needs the order of stores, and who the block's threads are.
[[nodiscard]] int stores_together(const GemmStep& step);

}  // namespace jute::plan
