#pragma once
// In what time operands reach an SM, as TMA and the cache bring them to warpgroups.
#include <jute/plan/values/block.hpp>

#include "plan/chip/chip_rates.hpp"

namespace jute::plan {

/// Clocks of tensor cores for a k-block of such a tile.
[[nodiscard]] double clocks_of_products(double m, double n);
/// Clocks of a k-block, converted or not, of a group of warps alone or of several.
[[nodiscard]] double products_clocks(const Block& block);

/// An operand of a block on its way to it.
struct FeedSide {
  double tile = 1, extent = 1;  ///< its rows of the tile, and of the problem
  double unit = 0;             ///< of a tile at the edge what is left out comes in so many; 0: none
  double chunk = 1;            ///< rows that lie in a line together
  double pitch = 0;            ///< bytes from k to k where rows lie in lines together, else 0
  double past = 0;             ///< clocks of each such row past the edge of its line
  double sharers = 1;          ///< blocks of a cluster that ask for it together
  double row = 0;              ///< clocks of 128 bytes
  double together = 1;         ///< of them, where SMs work at neighbouring tiles
  double together_on_all = 0;  ///< the same where all do, if that is more
  double first = 0;            ///< clocks that each of many who ask for it at once waits for it
  double tiles = 1, loaded = 1;  ///< of the problem's rows; rows of a tile that come
};
struct Feed {
  FeedSide a, b;
};
[[nodiscard]] Feed feed_of(const Block& block, const Grid& grid);

/// Clocks of a k-block: until one has come, what one takes, and by which power limits long work.
struct KBlock {
  double feed = 0, clocks = 0, power = 0;
};
/// Blocks that read the same lines at the same time share the way; where warps store rows they
/// drift apart. Rows that begin within lines take more of them; blocks of a cluster ask for rows
/// that they share once. Zeros past the edge take longest, where stages hold them.
[[nodiscard]] KBlock k_block_of(const Block& block, const Grid& grid, const Cut& cut,
                                const Feed& feed, const ChipRates& rates);

/// The clocks that rounds of so many blocks wait longer for their first k-tiles. They begin
/// together, and where rows begin at neither whole lines nor their halves the L2 cache is slow to
/// give many the same.
[[nodiscard]] double clocks_of_first_rows(const Feed& feed, double blocks, double rounds,
                                          double sms);
/// Do rows of both operands begin at whole lines of memory?
[[nodiscard]] bool has_whole_lines(const Block& block);

/// The clocks that no k-block of the tile takes less than, and no long work's factor at the power
/// limit.
[[nodiscard]] double least_k_block(const Block& block);
[[nodiscard]] double least_power(const Block& block);
/// Clocks of a k-block, however few its rows are.
[[nodiscard]] double least_feed(const Block& block, double tma_issue);

/// Clocks of TMA for a row of 128 bytes of an operand whose rows begin at such multiples in memory.
[[nodiscard]] double clocks_of_row(double begins);
/// Products that a k-block's loads hide behind, in clocks of a term.
[[nodiscard]] double clocks_that_hide(double m, double n, double products, double terms);

}  // namespace jute::plan
