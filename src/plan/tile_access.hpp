#pragma once
// What the threads of a block touch: (thread, value) layouts over a tile, followed into memory.
#include <jute/layout/swizzle.hpp>

#include <vector>

namespace jute::plan {

/// offset(thread, value) of every value, thread fastest.
struct TileAccess {
  int threads = 0;
  int values = 0;
  std::vector<Index> offsets;
  [[nodiscard]] Index operator()(int thread, int value) const {
    return offsets[static_cast<size_t>(thread) + static_cast<size_t>(threads) * value];
  }
};

/// Offsets of all one-dimensional coordinates, in order.
[[nodiscard]] std::vector<Index> all_offsets(const ComposedLayout& layout);

/// Where the values of `tv`, (thread, value) -> index, lie in the tile.
[[nodiscard]] TileAccess tile_access(const Layout& tv);

/// Where `memory`, a layout over the tile, has what `access` names.
[[nodiscard]] TileAccess follow(TileAccess access, const ComposedLayout& memory);

/// The largest power of two w ≤ limit such that every group of w values in a row, in every thread,
/// is w neighbouring offsets of which the first is a multiple of w.
[[nodiscard]] int widest_vector(const TileAccess& access, int limit);

}  // namespace jute::plan
