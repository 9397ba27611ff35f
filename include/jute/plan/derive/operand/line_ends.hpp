#pragma once
// Operands along M or N that are loaded in aligned chunks of 16 bytes, although rows of K begin
// inside of those.
#include <jute/base/export.hpp>
#include <jute/plan/derive/operand/fragment.hpp>

namespace JUTE_API jute {

/// Does the operand's tile begin inside of its chunks? Chunks then hold, of a row, lines from a few
/// ahead of the tile up to as many before its end.
[[nodiscard]] inline bool has_line_ends(const OperandPlan& operand) {
  return operand.from_chunk && operand.major == Major::mn;
}
/// Which of the two does; none where neither.
[[nodiscard]] std::optional<Operand> operand_of_line_ends(const GemmStep& step);

/// The last lines of a tile, which no whole chunk holds: one by one, in the order in which atoms
/// take rows without the permutation along them.
struct LineEnds {
  int lines = 1;     ///< as many as a chunk holds, or more
  int repeats = 1;   ///< times that the TiledMma takes lines
  Fragment operand;  ///< (thread, value) -> line + lines * k
  Layout sums;  ///< (thread of a group, value) -> m + rows * n of D, so many lines of the operand
};
/// shapes  as the step's tile, but for the operand's lines
[[nodiscard]] LineEnds line_ends(const GemmStep& step, Operand operand);

/// Sums of lines that threads leave in shared memory, by one row of the other operand: room for
/// these, and one element for each chunk, so that threads with chunks beside each other do not wait
/// for each other.
[[nodiscard]] inline int pitch_of_lines(int lines, int of_chunk) {
  return lines + lines / of_chunk;
}

}  // namespace jute
