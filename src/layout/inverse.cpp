// Right and left inverses.
#include <jute/base/checked.hpp>
#include <jute/layout/algebra.hpp>
#include <jute/layout/coordinates.hpp>
#include <jute/layout/detail/refusal.hpp>

#include <algorithm>
#include <utility>

#include "layout/flat_modes.hpp"

namespace jute {

namespace {

using layout::FlatModes;

/// A coalesced layout's modes, each with the size of the modes before it. Those of one unit vector
/// by rising stride.
struct SortedModes {
  FlatModes modes;
  layout::InlineVector<Index, 32> before;
  layout::InlineVector<int, 32> order;
};

/// The modes along `path` by rising stride. CuTe exchanges each place in turn with any later mode
/// that is less, which moves equal strides past each other; an inverse takes the first or the last
/// of these. There are at most 63 modes, or the size would overflow.
layout::InlineVector<int, 32> order_by_stride(const FlatModes& modes, const layout::Path& path) {
  layout::InlineVector<int, 32> order;
  for (int i = 0; i < modes.count(); ++i)
    if (modes.path(i) == path) order.push_back(i);
  for (int i = 0; i < order.size(); ++i) {
    for (int j = i + 1; j < order.size(); ++j) {
      if (modes.stride[order[j]] < modes.stride[order[i]]) std::swap(order[i], order[j]);
    }
  }
  return order;
}

SortedModes sorted_modes_of(const Layout& layout) {
  SortedModes sorted{layout::coalesced(layout.view()), {}, {}};
  Index product = 1;
  for (int i = 0; i < sorted.modes.count(); ++i) {
    sorted.before.push_back(product);
    product = checked_mul(product, sorted.modes.shape[i], "size");
  }
  return sorted;
}

FlatModes coalesced(const FlatModes& modes) {
  layout::InlineVector<layout::Node, 64> nodes;
  nodes.push_back(layout::Node::open);
  for (int i = 0; i < modes.count(); ++i) nodes.push_back(layout::Node::leaf);
  nodes.push_back(layout::Node::close);
  return layout::coalesced(
      layout::view_of(modes, {nodes.data(), static_cast<std::size_t>(nodes.size())}));
}

FlatModes right_inverse_of(const Layout&, const SortedModes& sorted) {
  FlatModes result;
  result.push(1, 0);
  Index reached = 1;
  for (const int i : sorted.order) {
    if (sorted.modes.stride[i] != reached) continue;
    result.push(sorted.modes.shape[i], sorted.before[i]);
    reached = checked_mul(reached, sorted.modes.shape[i], "size");
  }
  return coalesced(result);
}

FlatModes left_inverse_of(const Layout& layout, const SortedModes& sorted) {
  FlatModes result;
  if (sorted.order.empty()) {
    result.push(1, 0);
    return result;
  }
  Index reached = 1;
  Index pending_stride = 0;
  for (const int i : sorted.order) {
    const Index stride = sorted.modes.stride[i];
    if (stride == 0) continue;
    if (stride < 0) {
      layout::refuse(ErrorCode::out_of_range, "layout", to_string(layout),
                     "strides must not be negative where a left inverse is asked for");
    }
    if (stride % reached != 0) {
      layout::refuse(ErrorCode::not_divisible, "layout", to_string(layout),
                     "each stride must divide the next larger one: " + std::to_string(stride) +
                         " is no multiple of " + std::to_string(reached),
                     std::to_string(std::max<Index>(reached, stride / reached * reached)));
    }
    result.push(stride / reached, pending_stride);
    reached = stride;
    pending_stride = sorted.before[i];
  }
  result.push(sorted.modes.shape[sorted.order.back()], pending_stride);
  return coalesced(result);
}

using Inverse = FlatModes (*)(const Layout&, const SortedModes&);

/// One inverse for each unit vector that the strides of a layout stand on, nested as its offsets
/// are: from the coordinate that the layout gives back to the one that it takes.
void invert_into(const Layout& layout, const layout::TupleView& offsets, const layout::Path& path,
                 SortedModes& sorted, Inverse inverse, LayoutBuilder& out) {
  if (offsets.is_leaf()) {
    sorted.order = order_by_stride(sorted.modes, path);
    return layout::write_modes(inverse(layout, sorted), out);
  }
  out.open();
  char32_t mode = 0;
  for (layout::Modes modes(offsets); !modes.done(); ++mode)
    invert_into(layout, modes.next(), path + mode, sorted, inverse, out);
  out.close();
}

Layout inverted(const Layout& layout, Inverse inverse) {
  SortedModes sorted = sorted_modes_of(layout);
  LayoutBuilder builder;
  const IntTuple offsets = layout.is_plain() ? IntTuple(1) : coshape(layout);
  invert_into(layout, offsets.view(), {}, sorted, inverse, builder);
  return builder.take();
}

}  // namespace

Layout right_inverse(const Layout& layout) { return inverted(layout, right_inverse_of); }

Layout left_inverse(const Layout& layout) { return inverted(layout, left_inverse_of); }

}  // namespace jute
