#pragma once
// Which values of a block tile each thread multiplies, in the order in which it holds them.
#include <jute/base/export.hpp>
#include <jute/plan/values/plan.hpp>

namespace JUTE_API jute {

/// One operand of a TiledMma over the whole block tile.
struct Fragment {
  /// (thread, value) -> row + rows * column, column-major in the operand's tile. A value is
  /// v + values * (repeat + repeats * step): atom value, then repetition along M or N, then k-step.
  /// For C the step runs along N.
  Layout tv;
  int values = 1;   ///< of one atom in one thread
  int repeats = 1;  ///< atoms of one thread along M (A, C) or N (B)
  int steps = 1;    ///< atoms of one thread along K (A, B) or N (C)
};

/// shapes  A: (M,K), B: (N,K), C: (M,N) tile
/// throws  illegal_config: the TiledMma's tile does not divide the block tile
[[nodiscard]] Fragment fragment(const TiledMma& mma, Operand operand, const TileShape& tile);

}  // namespace jute
