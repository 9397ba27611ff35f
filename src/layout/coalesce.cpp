// Coalescing and filtering: the same function with fewer modes.
#include <jute/base/checked.hpp>
#include <jute/layout/algebra.hpp>
#include <jute/layout/coordinates.hpp>
#include <jute/layout/detail/refusal.hpp>
#include <jute/layout/detail/text.hpp>

#include "layout/flat_modes.hpp"

namespace jute {

namespace layout {

namespace {

/// Does the mode (extent, step) go on where the last of `out` ends?
bool continues_last(const FlatModes& out, Index step) {
  Index end = 0;
  return !__builtin_mul_overflow(out.shape.back(), out.stride.back(), &end) && end == step;
}

void append_merged(Index extent, Index step, const Path* path, FlatModes& out) {
  const bool plain = path == nullptr;
  const int last = out.count() - 1;
  if (last >= 0 && continues_last(out, step) && (plain || out.path(last) == *path)) {
    out.shape.back() = checked_mul(out.shape.back(), extent, "size");
    return;
  }
  out.push(extent, step);
  if (!plain) out.paths.push_back(*path);
}

}  // namespace

void coalesce_into(const LayoutView& view, LastUnit last_unit, FlatModes& out) {
  const int start = out.count();
  for (int i = 0; i < view.leaves; ++i) {
    Index extent = view.shape[i];
    if (extent == 1) {
      if (last_unit == LastUnit::drop || i + 1 < view.leaves) continue;
      extent = 2;
    }
    append_merged(extent, view.stride[i], view.paths == nullptr ? nullptr : view.paths + i, out);
  }
  if (out.count() == start) {
    out.push(1, 0);
    if (view.paths != nullptr) out.paths.emplace_back();
  }
}

void write_modes(const FlatModes& modes, LayoutBuilder& out) {
  const bool tuple = modes.count() != 1;
  if (tuple) out.open();
  for (int i = 0; i < modes.count(); ++i) out.leaf(modes.shape[i], modes.stride[i], modes.path(i));
  if (tuple) out.close();
}

FlatModes coalesced(const LayoutView& view, LastUnit last_unit) {
  FlatModes modes;
  coalesce_into(view, last_unit, modes);
  return modes;
}

FlatModes filtered(const LayoutView& view) {
  FlatModes modes;
  for (int i = 0; i < view.leaves; ++i) {
    if (view.shape[i] == 1 || view.stride[i] == 0) continue;
    append_merged(view.shape[i], view.stride[i], view.paths == nullptr ? nullptr : view.paths + i,
                  modes);
  }
  if (modes.count() == 0) modes.push(1, 0);
  return modes;
}

Layout to_layout(const FlatModes& modes) {
  LayoutBuilder builder;
  write_modes(modes, builder);
  return builder.take();
}

namespace {

/// Reduces each mode that a leaf of the profile names; further modes stay as they are.
template <class Reduce>
void reduce_by_profile(const LayoutView& view, const TupleView& profile, const Reduce& reduce,
                       LayoutBuilder& out) {
  if (profile.is_leaf()) return write_modes(reduce(view), out);
  out.open();
  Modes modes(view);
  Modes wanted(profile);
  while (!wanted.done()) {
    if (modes.done()) {
      std::string text;
      write(profile, text);
      refuse(ErrorCode::not_congruent, "profile", text,
             "the profile must have at most as many modes as the layout " + text_of(view));
    }
    reduce_by_profile(modes.next(), wanted.next(), reduce, out);
  }
  while (!modes.done()) out.append(modes.next());
  out.close();
}

}  // namespace

void coalesce_by_profile(const LayoutView& view, const TupleView& profile, LastUnit last_unit,
                         LayoutBuilder& out) {
  reduce_by_profile(
      view, profile, [last_unit](const LayoutView& mode) { return coalesced(mode, last_unit); },
      out);
}

std::string text_of(const LayoutView& view) {
  std::string text;
  write(view, text);
  return shortened(std::move(text), 120);
}

}  // namespace layout

Layout coalesce(const Layout& layout) {
  return layout::to_layout(layout::coalesced(layout.view()));
}

Layout coalesce(const Layout& layout, const IntTuple& profile) {
  LayoutBuilder builder;
  layout::coalesce_by_profile(layout.view(), profile.view(), layout::LastUnit::drop, builder);
  return builder.take();
}

Layout filter_zeros(const Layout& layout) {
  const layout::LayoutView view = layout.view();
  layout::InlineVector<Index, 32> extents;
  for (int i = 0; i < view.leaves; ++i) {
    extents.push_back(view.stride[i] == 0 ? 1 : view.shape[i]);
  }
  layout::LayoutView changed = view;
  changed.shape = extents.data();
  return Layout(changed);
}

Layout filter(const Layout& layout) { return layout::to_layout(layout::filtered(layout.view())); }

Layout filter(const Layout& layout, const IntTuple& profile) {
  LayoutBuilder builder;
  layout::reduce_by_profile(layout.view(), profile.view(), layout::filtered, builder);
  return builder.take();
}

}  // namespace jute
