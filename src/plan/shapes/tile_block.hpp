#pragma once
// The work that blocks of all families do for a tile, and how their threads load what they
// multiply.
#include <jute/plan/values/block.hpp>

#include "plan/values/candidates.hpp"
#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

/// The loads of an operand by a thread for a k-tile.
struct Accesses {
  double loads = 0;
  Index elements = 0;
  bool are_single = false;  ///< elements, not chunks
  bool are_cut = false;     ///< out of two chunks each
};
/// Loads of both operands: as a tile is expected to be loaded, or as a step's threads do.
struct BothAccesses {
  Accesses a, b;
};

/// Bytes at multiples of which rows of an operand begin whose elements have so many: at most
/// several lines, of which stored elements leave a part.
[[nodiscard]] double rows_begin(const KernelMatrix& matrix, int width);
/// The work that blocks of all families do for such a tile: its extents, products and bytes in
/// memory.
[[nodiscard]] Block block_of_tile(const TileShape& tile, const KernelProblem& problem);
/// Sets what threads load themselves: loads, and rows that are there of the eight of one.
void set_loads(Block& block, const BothAccesses& accesses, const KernelProblem& problem);
[[nodiscard]] inline Grid grid_of(const Block& block, const KernelProblem& problem) {
  Grid grid =
      jute::grid_of(block, problem.m.value, problem.n.value, problem.k.value, problem.batch.value);
  grid.rows_along_n = problem.transposed ? 1 : 0;
  return grid;
}
/// A block with so many products of a batch side by side.
[[nodiscard]] Block with_matrices(Block block, int matrices);

}  // namespace jute::plan
