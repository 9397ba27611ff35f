// Division of a layout by a tiler.
#include "layout/flat_modes.hpp"
#include "layout/refusal.hpp"
#include "layout/unzip.hpp"

#include <jute/layout/algebra.hpp>

namespace jute {

namespace {

using layout::FlatModes;
using layout::LayoutView;
using layout::Modes;
using layout::Node;

/// (tiler, complement of the tiler in the size of the layout)
void divide_by_layout(const LayoutView& view, const LayoutView& tiler, LayoutBuilder& out) {
  if (tiler.paths != nullptr) {
    layout::refuse(ErrorCode::wrong_type, "tiler", layout::text_of(tiler),
                   "a layout with strides on unit vectors has no complement");
  }
  const FlatModes shape = layout::coalesced(view);
  FlatModes rest;
  layout::complement_into(layout::filtered(tiler), {{}, shape.shape.data(), nullptr, shape.count()},
                          rest);
  LayoutBuilder both;
  both.open();
  both.append(tiler);
  layout::write_modes(rest, both);
  both.close();
  const Layout pair = both.take();
  layout::compose_views(view, pair.view(), layout::Carries::ignored, out);
}

void divide_into(const LayoutView& view, const Tiler& tiler, LayoutBuilder& out) {
  switch (tiler.kind()) {
    case Tiler::Kind::wildcard:
      return out.append(view);
    case Tiler::Kind::layout:
      return divide_by_layout(view, tiler.layout().view(), out);
    case Tiler::Kind::extent: {
      static constexpr Node kLeaf = Node::leaf;
      const Index extent = tiler.extent();
      const Index step = extent == 1 ? 0 : 1;
      return divide_by_layout(view, {{&kLeaf, 1}, &extent, &step, nullptr, 1}, out);
    }
    case Tiler::Kind::tuple:
      break;
  }
  out.open();
  Modes modes(view);
  for (const Tiler& mode : tiler.modes()) {
    if (modes.done()) layout::refuse_long_tiler(tiler, view);
    divide_into(modes.next(), mode, out);
  }
  while (!modes.done()) out.append(modes.next());
  out.close();
}

}  // namespace

namespace layout {

void refuse_long_tiler(const Tiler& tiler, const LayoutView& view) {
  refuse(ErrorCode::not_congruent, "tiler", to_string(tiler),
         "the tiler has at most as many modes as the layout " + text_of(view));
}

}  // namespace layout

Layout logical_divide(const Layout& layout, const Tiler& tiler) {
  LayoutBuilder builder;
  divide_into(layout.view(), tiler, builder);
  return builder.take();
}

Layout zipped_divide(const Layout& layout, const Tiler& tiler) {
  return layout::unzip(logical_divide(layout, tiler), tiler);
}

Layout tiled_divide(const Layout& layout, const Tiler& tiler) {
  return layout::spread_rest(zipped_divide(layout, tiler));
}

Layout flat_divide(const Layout& layout, const Tiler& tiler) {
  return layout::spread_both(zipped_divide(layout, tiler));
}

}  // namespace jute
