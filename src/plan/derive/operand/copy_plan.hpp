#pragma once
// How the threads of a block share the copying of a tile.
#include <jute/layout/layout.hpp>
#include <jute/plan/values/plan.hpp>

#include <optional>

namespace jute::plan {

/// (thread, value) -> mn + tile_mn * k: neighbouring threads copy neighbouring vectors along the
/// major dimension. `vector_elems` is the greatest that divides the work evenly, up to `limit`.
struct CopyLayout {
  Layout tv;
  int vector_elems = 1;
};
/// Nothing when not even single elements divide evenly among the threads.
[[nodiscard]] std::optional<CopyLayout> copy_layout(int tile_mn, int tile_k, Major major, int limit,
                                                    int threads);
/// Copies of a tile, and as many of a second one behind it along mn: (thread, value) -> mn +
/// 2 * tile_mn * k.
[[nodiscard]] Layout copied_in_halves(const Layout& tv, int tile_mn, int tile_k);

}  // namespace jute::plan
