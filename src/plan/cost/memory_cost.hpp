#pragma once
// Bytes that memory moves for a kernel of warpgroups, and their time.
#include <jute/plan/values/block.hpp>

#include "plan/chip/chip_rates.hpp"
#include "plan/cost/rounds.hpp"

namespace jute::plan {

/// An operand of a kernel of warpgroups, as memory has it.
struct OperandRows {
  double extent, tile, tiles;  ///< rows of all and of a tile; tiles along them, none of no rows
  double row_bytes;            ///< that memory has of each of them
  double unit;                 ///< rows past the edge are left out in so many; 0: all are there
  bool along_k;
  [[nodiscard]] double bytes() const { return extent * row_bytes; }
  /// Rows that tiles have and the problem has not: of rows along M or N, what is past the edge lies
  /// in lines that are fetched anyway.
  [[nodiscard]] double past_the_edge() const;
};
/// The one that has the product's M, which launches say, and the other one.
struct BothOperands {
  OperandRows rows, others;
};
[[nodiscard]] BothOperands operands_of(const Block& block, const Grid& grid);

/// Bytes of a row of K, as they are multiplied.
[[nodiscard]] inline double bytes_of_k(const Block& block, const Grid& grid) {
  return grid.k * block.width * block.terms;
}

/// Clocks of memory: for what the problem has, and for rows past its edge.
struct MemoryClocks {
  double needed = 0, past_the_edge = 0;
  bool in_pairs = false;  ///< do two blocks each, and no more, read rows of the larger operand?
};
[[nodiscard]] MemoryClocks memory_clocks(const Block& block, const Grid& grid, const Cut& cut,
                                         const BothOperands& operands, const Rounds& rounds,
                                         const ChipRates& rates);

/// Bytes that are moved at `rate` in a clock.
struct Traffic {
  double bytes = 0, rate = 1;
};
/// Clocks that it takes for so many blocks.
[[nodiscard]] double clocks_of(const Traffic& traffic, double blocks);
/// The least that memory moves for all matrices, at most as fast: in whatever clusters, and in
/// however many slices where they are 0.
[[nodiscard]] Traffic least_traffic(const Block& block, const Grid& grid, const Cut& cut,
                                    const ChipRates& rates);

}  // namespace jute::plan
