#pragma once
// Operands along M or N that are loaded in aligned chunks of 16 bytes, although rows of K begin
// inside of those.
#include <jute/base/export.hpp>
#include <jute/plan/values/plan.hpp>

#include <optional>

namespace JUTE_API jute {

/// Does the operand's tile begin inside of its chunks? Chunks then hold, of a row, lines from a few
/// ahead of the tile up to as many before its end.
[[nodiscard]] inline bool has_line_ends(const OperandPlan& operand) {
  return straight_of(operand).from_chunk && operand.major == Major::mn;
}
/// Which of the two does; none where neither.
[[nodiscard]] std::optional<Operand> operand_of_line_ends(const GemmStep& step);

/// Sums of lines that threads leave in shared memory, by one row of the other operand: room for
/// these, and one element for each chunk, so that threads with chunks beside each other do not wait
/// for each other.
[[nodiscard]] inline int pitch_of_lines(int lines, int of_chunk) {
  return lines + lines / of_chunk;
}

}  // namespace jute
