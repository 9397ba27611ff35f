#pragma once
// Lines on what memory holds, behind the banner of kernels whose operands are no plain matrices.
#include <jute/plan/values/plan.hpp>

#include <string>

namespace jute::codegen {

/// Comment lines: elements as they are stored, what they count as, which numbers they share, what a
/// group is, whose rows a table names. Empty where A and B are what is multiplied.
[[nodiscard]] std::string memory_words(const GemmStep& step);
[[nodiscard]] std::string memory_words(const MoveStep& step);

}  // namespace jute::codegen
