#pragma once
// What is said of operands that become another number on their way to a product.
#include <jute/plan/values/plan.hpp>

#include <string>

namespace jute::plan {

/// Where it rounds. The letter is the problem's: A or B.
[[nodiscard]] std::string conversion_numerics(char letter, const MoveConversion& conversion,
                                              DType type);
/// Why a copy is made.
[[nodiscard]] std::string conversion_reason(const Move& move);
/// What threads make of what memory holds.
[[nodiscard]] std::string stored_reason(char letter, const OperandPlan& operand);

}  // namespace jute::plan
