// Compact layouts: strides that follow from a shape and an order.
#include <jute/base/checked.hpp>
#include <jute/layout/algebra.hpp>
#include <jute/layout/coordinates.hpp>
#include <jute/layout/detail/refusal.hpp>
#include <jute/layout/modes.hpp>

#include <algorithm>

#include "layout/flat_modes.hpp"
#include "layout/legal_shape.hpp"

namespace jute {

namespace {

using layout::LayoutView;
using layout::Modes;
using layout::Node;
using layout::Path;
using layout::TupleView;

/// One number for each leaf of a shape.
using Leaves = layout::InlineVector<Index, 32>;

void require_shape(const IntTuple& shape) {
  const TupleView view = shape.view();
  for (int i = 0; i < view.leaves; ++i) {
    if (view.paths == nullptr && view.values[i] >= 1) continue;
    layout::refuse(ErrorCode::out_of_range, "shape", to_string(shape),
                   "every extent of a shape must be a positive integer",
                   layout::nearest_shape(shape));
  }
}

/// Replaces the leaves of a shape by strides, with the same nesting.
IntTuple with_leaves(const TupleView& shape, const Leaves& values) {
  TupleView view = shape;
  view.values = values.data();
  view.paths = nullptr;
  return IntTuple(view);
}

/// Compact strides for the leaves; moves `current` past them.
void compact_leaves(const TupleView& shape, CompactOrder order, Index& current, Index* strides) {
  for (int n = 0; n < shape.leaves; ++n) {
    const int i = order == CompactOrder::left ? n : shape.leaves - 1 - n;
    strides[i] = shape.values[i] == 1 ? 0 : current;
    if (shape.values[i] != 1) current = checked_mul(current, shape.values[i], "stride");
  }
}

void compact_into(const TupleView& shape, CompactOrder order, const TupleView& start,
                  Index* strides) {
  if (start.is_leaf()) {
    if (!start.is_integer()) {
      layout::refuse(ErrorCode::wrong_type, "start", to_string(IntTuple(start)),
                     "the first stride must be an integer");
    }
    Index current = start.value();
    return compact_leaves(shape, order, current, strides);
  }
  if (shape.is_leaf() || layout::rank(shape) != layout::rank(start)) {
    layout::refuse(
        ErrorCode::not_congruent, "start", to_string(IntTuple(start)),
        "the first strides must have as many modes as the shape " + to_string(IntTuple(shape)));
  }
  Modes modes(shape);
  for (Modes starts(start); !starts.done();) {
    const TupleView mode = modes.next();
    compact_into(mode, order, starts.next(), strides);
    strides += mode.leaves;
  }
}

/// A leaf of an order: a part of the shape and its rank in the order.
struct Ordered {
  TupleView shape;
  Index order = 0;
  int first_leaf = 0;
};
using Parts = layout::InlineVector<Ordered, 16>;

void collect_ordered(const TupleView& shape, const TupleView& order, int first_leaf, Parts& out) {
  if (order.is_leaf()) {
    out.push_back({shape, order.value(), first_leaf});
    return;
  }
  if (shape.is_leaf() || layout::rank(shape) != layout::rank(order)) {
    layout::refuse(ErrorCode::not_congruent, "order", to_string(IntTuple(order)),
                   "the order must have as many modes as the shape " + to_string(IntTuple(shape)));
  }
  Modes modes(shape);
  for (Modes orders(order); !orders.done();) {
    const TupleView mode = modes.next();
    collect_ordered(mode, orders.next(), first_leaf, out);
    first_leaf += mode.leaves;
  }
}

}  // namespace

IntTuple compact_major(const IntTuple& shape, CompactOrder order, const IntTuple& start) {
  require_shape(shape);
  Leaves strides;
  strides.resize(shape.leaf_count());
  compact_into(shape.view(), order, start.view(), strides.data());
  return with_leaves(shape.view(), strides);
}

IntTuple compact_order(const IntTuple& shape, const IntTuple& order) {
  require_shape(shape);
  if (!order.is_plain()) {
    layout::refuse(ErrorCode::wrong_type, "order", to_string(order),
                   "an order must be made of integers");
  }
  Parts parts;
  collect_ordered(shape.view(), order.view(), 0, parts);
  // Ties go by position. A stable sort would do the same with a buffer from the heap.
  std::sort(parts.begin(), parts.end(), [](const Ordered& a, const Ordered& b) {
    return a.order != b.order ? a.order < b.order : a.first_leaf < b.first_leaf;
  });
  Leaves strides;
  strides.resize(shape.leaf_count());
  // Parts of equal order start at the same stride: that of everything strictly before them.
  Index before = 1;
  for (int first = 0; first < parts.size();) {
    Index after = before;
    int i = first;
    for (; i < parts.size() && parts[i].order == parts[first].order; ++i) {
      const Ordered& part = parts[i];
      Index current = before;
      compact_leaves(part.shape, CompactOrder::left, current, strides.data() + part.first_leaf);
      for (int leaf = 0; leaf < part.shape.leaves; ++leaf) {
        after = checked_mul(after, part.shape.values[leaf], "stride");
      }
    }
    before = after;
    first = i;
  }
  return with_leaves(shape.view(), strides);
}

Layout::Layout(const IntTuple& shape) : Layout(shape, compact_major(shape, CompactOrder::left)) {}

Layout make_layout(const IntTuple& shape, CompactOrder order) {
  return Layout(shape, compact_major(shape, order));
}

Layout make_ordered_layout(const IntTuple& shape, const IntTuple& order) {
  return Layout(shape, compact_order(shape, order));
}

Layout make_layout_like(const Layout& layout) {
  return Layout(layout.shape(), compact_order(filter_zeros(layout).shape(), layout.stride()));
}

Layout make_identity_layout(const IntTuple& shape) {
  require_shape(shape);
  const TupleView view = shape.view();
  LayoutBuilder builder;
  Path path;
  int leaf = 0;
  for (const Node node : view.nodes) {
    switch (node) {
      case Node::open:
        builder.open();
        path.push_back(0);
        continue;
      case Node::close:
        builder.close();
        path.pop_back();
        break;
      case Node::leaf:
        builder.leaf(view.values[leaf++], 1, path);
        break;
    }
    if (!path.empty()) ++path.back();
  }
  return builder.take();
}

}  // namespace jute
