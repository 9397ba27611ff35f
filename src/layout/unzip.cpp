// Collects the tiles and the rests of a divided layout.
#include "layout/unzip.hpp"

#include <jute/layout/detail/refusal.hpp>

#include "layout/flat_modes.hpp"

namespace jute {

namespace layout {

namespace {

void unzip_into(const LayoutView& view, const Tiler& tiler, LayoutBuilder& tiles,
                LayoutBuilder& rests) {
  if (tiler.kind() == Tiler::Kind::tuple) {
    tiles.open();
    rests.open();
    Modes modes(view);
    for (const Tiler& mode : tiler.modes()) {
      if (modes.done()) refuse_long_tiler(tiler, view);
      unzip_into(modes.next(), mode, tiles, rests);
    }
    while (!modes.done()) rests.append(modes.next());
    tiles.close();
    rests.close();
    return;
  }
  append_pair(view, tiles, rests);
}

void append_spread(const LayoutView& view, LayoutBuilder& out) {
  if (rank(view) == 1) {
    out.append(view);
  } else {
    out.append_modes(view);
  }
}

}  // namespace

void append_pair(const LayoutView& pair, LayoutBuilder& tiles, LayoutBuilder& rests) {
  if (pair.is_leaf() || rank(pair) != 2) {
    refuse(ErrorCode::not_congruent, "layout", text_of(pair),
           "a mode that is already tiled must be a pair (tile,rest)");
  }
  Modes modes(pair);
  tiles.append(modes.next());
  rests.append(modes.next());
}

Layout spread_rest(const Layout& zipped) {
  Modes modes(zipped.view());
  LayoutBuilder out;
  out.open();
  out.append(modes.next());
  append_spread(modes.next(), out);
  out.close();
  return out.take();
}

Layout spread_both(const Layout& zipped) {
  Modes modes(zipped.view());
  LayoutBuilder out;
  out.open();
  append_spread(modes.next(), out);
  append_spread(modes.next(), out);
  out.close();
  return out.take();
}

}  // namespace layout

Layout tile_unzip(const Layout& divided, const Tiler& tiler) {
  LayoutBuilder both;
  LayoutBuilder rests;
  both.open();
  layout::unzip_into(divided.view(), tiler, both, rests);
  both.append(rests.view());
  both.close();
  return both.take();
}

}  // namespace jute
