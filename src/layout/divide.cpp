// Division of a layout by a tiler.
#include <jute/layout/algebra.hpp>
#include <jute/layout/detail/refusal.hpp>

#include "layout/flat_modes.hpp"
#include "layout/unzip.hpp"

namespace jute {

namespace {

using layout::FlatModes;
using layout::FlatNodes;
using layout::LayoutView;
using layout::Modes;
using layout::Node;

/// The tile of a layout into `tiles`, what the tile leaves out into `rests`; both may be one
/// builder.
void divide_by_layout(const LayoutView& view, const LayoutView& tiler, LayoutBuilder& tiles,
                      LayoutBuilder& rests) {
  if (tiler.paths != nullptr) {
    layout::refuse(ErrorCode::wrong_type, "tiler", layout::text_of(tiler),
                   "strides must be plain integers where a complement is asked for");
  }
  const FlatModes shape = layout::coalesced(view);
  FlatModes rest;
  layout::complement_into(layout::filtered(tiler), {{}, shape.shape.data(), nullptr, shape.count()},
                          rest);
  const FlatModes modes = layout::coalesced(view, layout::LastUnit::keep);
  const FlatNodes nodes(modes.count());
  const FlatNodes rest_nodes(rest.count());
  const LayoutView whole = layout::view_of(modes, nodes.span());
  layout::compose_into(whole, tiler, layout::Carries::ignored, tiles);
  layout::compose_into(whole, layout::view_of(rest, rest_nodes.span()), layout::Carries::ignored,
                       rests);
}

/// An extent or a layout as a tiler; false for a wildcard or a tuple.
bool divide_by_leaf(const LayoutView& view, const Tiler& tiler, LayoutBuilder& tiles,
                    LayoutBuilder& rests) {
  if (tiler.kind() == Tiler::Kind::layout) {
    divide_by_layout(view, tiler.layout().view(), tiles, rests);
    return true;
  }
  if (tiler.kind() != Tiler::Kind::extent) return false;
  static constexpr Node kLeaf = Node::leaf;
  const Index extent = tiler.extent();
  const Index step = extent == 1 ? 0 : 1;
  divide_by_layout(view, {{&kLeaf, 1}, &extent, &step, nullptr, 1}, tiles, rests);
  return true;
}

void divide_into(const LayoutView& view, const Tiler& tiler, LayoutBuilder& out) {
  if (tiler.kind() == Tiler::Kind::wildcard) return out.append(view);
  out.open();
  if (divide_by_leaf(view, tiler, out, out)) return out.close();
  Modes modes(view);
  for (const Tiler& mode : tiler.modes()) {
    if (modes.done()) layout::refuse_long_tiler(tiler, view);
    divide_into(modes.next(), mode, out);
  }
  while (!modes.done()) out.append(modes.next());
  out.close();
}

/// Division with tiles and rests collected apart; a mode under '_' is already such a pair.
void zip_divide_into(const LayoutView& view, const Tiler& tiler, LayoutBuilder& tiles,
                     LayoutBuilder& rests) {
  if (divide_by_leaf(view, tiler, tiles, rests)) return;
  if (tiler.kind() == Tiler::Kind::wildcard) return layout::append_pair(view, tiles, rests);
  tiles.open();
  rests.open();
  Modes modes(view);
  for (const Tiler& mode : tiler.modes()) {
    if (modes.done()) layout::refuse_long_tiler(tiler, view);
    zip_divide_into(modes.next(), mode, tiles, rests);
  }
  while (!modes.done()) rests.append(modes.next());
  tiles.close();
  rests.close();
}

}  // namespace

namespace layout {

void refuse_long_tiler(const Tiler& tiler, const LayoutView& view) {
  refuse(ErrorCode::not_congruent, "tiler", to_string(tiler),
         "the tiler must have at most as many modes as the layout " + text_of(view));
}

}  // namespace layout

Layout logical_divide(const Layout& layout, const Tiler& tiler) {
  LayoutBuilder builder;
  divide_into(layout.view(), tiler, builder);
  return builder.take();
}

Layout zipped_divide(const Layout& layout, const Tiler& tiler) {
  LayoutBuilder both;
  LayoutBuilder rests;
  both.open();
  zip_divide_into(layout.view(), tiler, both, rests);
  both.append(rests.view());
  both.close();
  return both.take();
}

Layout tiled_divide(const Layout& layout, const Tiler& tiler) {
  return layout::spread_rest(zipped_divide(layout, tiler));
}

Layout flat_divide(const Layout& layout, const Tiler& tiler) {
  return layout::spread_both(zipped_divide(layout, tiler));
}

}  // namespace jute
