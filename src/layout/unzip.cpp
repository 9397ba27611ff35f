// Collects the tiles and the rests of a divided layout.
#include "layout/unzip.hpp"

#include "layout/flat_modes.hpp"
#include "layout/refusal.hpp"

namespace jute::layout {

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
  if (view.is_leaf() || rank(view) != 2) {
    refuse(ErrorCode::not_congruent, "layout", text_of(view),
           "a mode that '_' tiles is a pair (tile,rest)");
  }
  Modes pair(view);
  tiles.append(pair.next());
  rests.append(pair.next());
}

void append_spread(const LayoutView& view, LayoutBuilder& out) {
  if (rank(view) == 1) {
    out.append(view);
  } else {
    out.append_modes(view);
  }
}

}  // namespace

Layout unzip(const Layout& divided, const Tiler& tiler) {
  LayoutBuilder tiles;
  LayoutBuilder rests;
  unzip_into(divided.view(), tiler, tiles, rests);
  const Layout tile = tiles.take();
  const Layout rest = rests.take();
  LayoutBuilder out;
  out.open();
  out.append(tile.view());
  out.append(rest.view());
  out.close();
  return out.take();
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

}  // namespace jute::layout
