#pragma once
// Grouped problems drawn at random, with lists that cut them unevenly, and what of each is no
// group's.
#include "support/random_problem.hpp"

namespace jute::test {

/// Groups of every kind: none, one row each, all in one, and whatever lies between.
[[nodiscard]] GemmCase grouped_case(const CaseTypes& types, int index);

/// Does some group compute this element of D? `matrix` is one of those that D has in memory.
[[nodiscard]] bool is_computed(const GemmCase& grouped, Index matrix, Index row, Index col);
/// Does some group read this element of A, or of B, whose `line` is its row or column?
[[nodiscard]] bool is_read(const GemmCase& grouped, bool is_a, Index matrix, Index line, Index k);

}  // namespace jute::test
