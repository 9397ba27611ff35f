#pragma once
// How fast D leaves a tile of warpgroups, and what memory moves for it.
#include <jute/plan/values/block.hpp>

namespace jute::plan {

/// Clocks in which a block stores its tile.
[[nodiscard]] double clocks_to_drain(const Block& block, const Cut& cut);
/// Clocks of each tile besides its k-blocks, however many.
[[nodiscard]] double clocks_of_tile(const Block& block);
/// The part that is still felt of an end that another team's products hide.
[[nodiscard]] double felt_end(const Block& block);

/// Bytes that memory moves for so many of D.
[[nodiscard]] double bytes_to_write(const Block& block, double bytes);

}  // namespace jute::plan
