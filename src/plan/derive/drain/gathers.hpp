#pragma once
// Outputs of an epilogue that are one value of many elements.
#include <jute/plan/values/plan.hpp>

#include "plan/ask/broken_rule.hpp"

namespace jute::plan {

/// Which lines of a tile, rows or columns, the values of a thread belong to.
struct ThreadLines {
  Layout slot;  ///< a thread's value -> which of its lines it belongs to
  Layout line;  ///< which of its lines -> line of the tile, from the thread's first
};

/// The modes that move along lines, numbered one after the other, and where each line lies.
///   value  a thread's value -> line of the tile, from the thread's first
[[nodiscard]] ThreadLines thread_lines(const Layout& value);

[[nodiscard]] bool gathers(const EpiloguePlan& epilogue);
/// Is an output one value of a whole matrix?
[[nodiscard]] bool gathers_all(const EpiloguePlan& epilogue);
/// Is an output a matrix of bits?
[[nodiscard]] bool packs_bits(const EpiloguePlan& epilogue);

/// Warps that drain a tile.
[[nodiscard]] int draining_warps(const GemmStep& step);

/// The workspace of what is gathered: `gathered` counts the tiles of each matrix that are done,
/// `lines2` those of each row or column of tiles, whose lines output 2 is summed along; `partials2`
/// holds what every warp found for output 2 in every tile, and a value more a warp for those who
/// add them.
[[nodiscard]] std::vector<WorkspaceRegion> gather_regions(const GemmStep& step);

/// Sets the lines of sums along rows and columns and the words of bits, which follow from where
/// values lie.
void set_gathers(EpiloguePlan& out);
/// Who has elements of which blocks; nothing where the tile's blocks are not whole.
void set_blocks(EpiloguePlan& out, const GemmStep& step);
/// Bytes of shared memory in which warps tell each other what they found of blocks.
[[nodiscard]] Index block_bytes(const GemmStep& step);

[[nodiscard]] Errors gather_rules(const GemmStep& step);

}  // namespace jute::plan
