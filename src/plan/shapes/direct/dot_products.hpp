#pragma once
// D with few rows, or few columns: dot products, for which the large operand is read once as it
// lies.
#include <vector>

#include "plan/shapes/direct/straight_form.hpp"
#include "plan/shapes/tile_block.hpp"
#include "plan/values/candidates.hpp"
#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

/// The tile with the extents that follow from what its lanes have.
[[nodiscard]] Tile covered_by_dots(Tile tile, const KernelProblem& problem);
[[nodiscard]] BothAccesses dot_accesses(const Tile& tile, const KernelProblem& problem);
/// The Block of a tile that has its extents.
[[nodiscard]] Block dot_block(const Tile& tile, const BothAccesses& accesses,
                              const KernelProblem& problem);

/// The two operands by what they are here.
struct DotSides {
  const KernelMatrix &streamed, &kept;
  Index lines, rows;  ///< the extents of D along them
};
[[nodiscard]] DotSides sides_of(const KernelProblem& problem, Operand streamed);

/// Has the problem few enough rows, sums that lanes may add, and outputs of single elements?
[[nodiscard]] bool suits_dot_products(const KernelProblem& problem);
/// Has D few rows or columns, and are dot products of them what the caller wishes, or known to be
/// faster than tensor cores? Cheap, as it is asked of every problem.
[[nodiscard]] bool may_be_dot_products(const KernelProblem& problem, const Config& config);

/// Lanes and warps along K, and what a lane asks for at a time, of every sensible size.
[[nodiscard]] std::vector<Tile> dot_tiles(const KernelProblem& problem);

/// Atoms, permutation and tile.
[[nodiscard]] StraightForm dot_form(const Tile& tile, const KernelProblem& problem);

/// Elements of a row that whole chunks of 16 bytes leave, at most: fewer than a chunk has ahead of
/// those and behind, and as many again where the other operand is cut out of chunks.
[[nodiscard]] int most_ends_of_row(DType type);
/// Are elements that begin anywhere cut out of the chunks of 16 bytes around them? Four of four
/// bytes come sooner one by one: of 59 kernels all did, 0.71 of the time in the mean.
[[nodiscard]] bool is_worth_cutting(DType type);
/// Is B the operand of which much is read once?
[[nodiscard]] bool streams_b(const GemmStep& step);

}  // namespace jute::plan
