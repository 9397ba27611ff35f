#pragma once
// Operands along M or N that are loaded in aligned chunks of 16 bytes, although rows of K begin
// inside of those.
#include <jute/base/export.hpp>
#include <jute/plan/derive/operand/fragment.hpp>

namespace JUTE_API jute {

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

}  // namespace jute
