#pragma once
// Rules of a plan's TiledMma before any of its layouts is made.
#include <jute/plan/values/plan.hpp>

#include "plan/ask/broken_rule.hpp"

namespace jute::plan {

/// Do kernels multiply by atoms of that form?
[[nodiscard]] bool is_generated(MmaForm form);

/// The atom against the architecture and the types, its threads against a block, the permutation
/// against what the atoms cover. Whatever the caller chose, nothing is enumerated that a block
/// could not hold.
[[nodiscard]] Errors mma_rules(const GemmStep& step);
/// Sums that threads add in full are of whole k-tiles, and of wgmma.
[[nodiscard]] Errors promotion_rules(const GemmStep& step);

}  // namespace jute::plan
