#pragma once
// Gated products drawn at random, of groups and without.
#include "support/random_problem.hpp"

namespace jute::test {

/// Every fourth has groups; B lies in halves or pairs, either way round.
[[nodiscard]] GemmCase gated_case(const CaseTypes& types, int index);

}  // namespace jute::test
