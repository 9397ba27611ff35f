#pragma once
// Collecting the tiles and the rests of a divided layout.
#include <jute/layout/algebra.hpp>

namespace jute::layout {

/// (tile, rest0, rest1, …) of (tile, rest); a rest of one mode stays as it is.
[[nodiscard]] Layout spread_rest(const Layout& zipped);
/// (tile0, …, rest0, …)
[[nodiscard]] Layout spread_both(const Layout& zipped);

/// The two modes of a pair to either side.   throws  not_congruent: another number of modes
void append_pair(const LayoutView& pair, LayoutBuilder& tiles, LayoutBuilder& rests);

[[noreturn]] void refuse_long_tiler(const Tiler& tiler, const LayoutView& view);

}  // namespace jute::layout
