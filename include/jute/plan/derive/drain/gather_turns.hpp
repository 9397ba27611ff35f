#pragma once
// Sums along rows and columns that are complete before the whole tile is drained.
#include <jute/base/export.hpp>
#include <jute/plan/values/plan.hpp>

#include <set>

namespace JUTE_API jute {

/// Turns of a drain in which lanes share lines out: each ends lines of its own, so many that every
/// lane that has parts of them gets equally many. 0 where there are none: all lanes then add all of
/// their lines when the tile is drained.
[[nodiscard]] int sharing_turns(const EpiloguePlan& out, const GatherLines& lines);

/// Turns of a drain in which the words of a matrix of bits are complete; 1 where they are not
/// before the tile is drained.
[[nodiscard]] int word_turns(const EpiloguePlan& out, const BitWords& words);

/// The types of outputs that gather what is computed in integers: in 64 bits, which no sum of 32
/// leaves.
[[nodiscard]] std::set<DType> gathered_whole(const EpiloguePlan& out);

/// Do a thread's values of each turn, and no others, belong to equally many slots?
[[nodiscard]] bool end_in_turns(const Layout& slot, Index slots, int turns);

}  // namespace jute
