#pragma once
// Matrices of bits: which words threads and lanes have of them.
#include <jute/plan/values/plan.hpp>

#include <optional>

#include "plan/ask/broken_rule.hpp"

namespace jute::plan {

/// Must every turn of a drain have whole words?
enum class WordsEnd : std::uint8_t { anywhere, in_turns };

/// The longest words that lie whole in a tile and between lanes of a warp, and that the operand's
/// accesses may have. Nothing where there are none.
[[nodiscard]] std::optional<BitWords> bit_words(const EpiloguePlan& out,
                                                const EpilogueOperandPlan& operand, WordsEnd end);

/// Once it is known where values lie: lanes have whole bytes of a matrix of bits between them.
[[nodiscard]] Errors bit_rules(const GemmStep& step);

}  // namespace jute::plan
