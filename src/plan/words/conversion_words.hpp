#pragma once
// Words on operands that become another number on their way to a product.
#include <jute/plan/values/plan.hpp>

#include <string>
#include <utility>

namespace jute::plan {

/// Where it rounds. The letter is the problem's: A or B.
[[nodiscard]] std::string conversion_numerics(char letter, const MoveConversion& conversion,
                                              DType type);
/// Why a copy is made.
[[nodiscard]] std::string conversion_reason(const Move& move);
/// Why a second step makes D, and what it computes.
[[nodiscard]] std::string scaling_reason(const BlockScaling& scaling);
[[nodiscard]] std::string scaling_numerics(const BlockScaling& scaling);
/// The sentence on what threads make of what memory holds.
[[nodiscard]] std::string stored_reason(char letter, const OperandPlan& operand);

/// Where products that are scaled as they are summed are rounded, and why they are; empty where
/// none are.
[[nodiscard]] std::string scaled_numerics(const GemmStep& step);
[[nodiscard]] std::string scaled_reason(const GemmStep& step);

/// `say` of each operand that is converted in registers, under the problem's letter.
template <class Say>
[[nodiscard]] std::string of_stored(const GemmStep& step, Say say) {
  std::string text;
  for (const auto& [letter, operand] : {std::pair(step.transposed ? 'B' : 'A', &step.a),
                                        std::pair(step.transposed ? 'A' : 'B', &step.b)})
    if (operand->stored) text += say(letter, *operand);
  return text;
}

}  // namespace jute::plan
