#pragma once
// Sums along rows and columns that are complete before the whole tile is drained.
#include <jute/base/export.hpp>
#include <jute/plan/plan.hpp>

namespace JUTE_API jute {

/// Turns of a drain in which lanes share lines out: each ends lines of its own, so many that every
/// lane that has parts of them gets equally many. 0 where there are none: all lanes then add all of
/// their lines when the tile is drained.
[[nodiscard]] int sharing_turns(const EpiloguePlan& out, const GatherLines& lines);

}  // namespace jute
