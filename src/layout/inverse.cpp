// Right and left inverses.
#include <jute/base/checked.hpp>
#include <jute/layout/algebra.hpp>
#include <jute/layout/detail/refusal.hpp>

#include <algorithm>
#include <utility>

#include "layout/flat_modes.hpp"

namespace jute {

namespace {

using layout::FlatModes;

/// A coalesced layout's modes by rising stride, each with the size of the modes before it.
struct SortedModes {
  FlatModes modes;
  layout::InlineVector<Index, 32> before;
  layout::InlineVector<int, 32> order;
};

/// The modes by rising stride. CuTe exchanges each place in turn with any later mode that is less,
/// which moves equal strides past each other; an inverse takes the first or the last of these.
/// There are at most 63 modes, or the size would overflow.
layout::InlineVector<int, 32> order_by_stride(const FlatModes& modes) {
  layout::InlineVector<int, 32> order;
  for (int i = 0; i < modes.count(); ++i) order.push_back(i);
  for (int i = 0; i < order.size(); ++i) {
    for (int j = i + 1; j < order.size(); ++j) {
      if (modes.stride[order[j]] < modes.stride[order[i]]) std::swap(order[i], order[j]);
    }
  }
  return order;
}

SortedModes sorted_modes(const Layout& layout) {
  if (!layout.is_plain()) {
    layout::refuse(ErrorCode::wrong_type, "layout", to_string(layout),
                   "strides must be plain integers where an inverse is asked for");
  }
  SortedModes sorted{layout::coalesced(layout.view()), {}, {}};
  Index product = 1;
  for (int i = 0; i < sorted.modes.count(); ++i) {
    sorted.before.push_back(product);
    product = checked_mul(product, sorted.modes.shape[i], "size");
  }
  sorted.order = order_by_stride(sorted.modes);
  return sorted;
}

Layout coalesced_layout(const FlatModes& modes) {
  layout::InlineVector<layout::Node, 64> nodes;
  nodes.push_back(layout::Node::open);
  for (int i = 0; i < modes.count(); ++i) nodes.push_back(layout::Node::leaf);
  nodes.push_back(layout::Node::close);
  return layout::to_layout(layout::coalesced(
      layout::view_of(modes, {nodes.data(), static_cast<std::size_t>(nodes.size())})));
}

}  // namespace

Layout right_inverse(const Layout& layout) {
  const SortedModes sorted = sorted_modes(layout);
  FlatModes result;
  result.push(1, 0);
  Index reached = 1;
  for (const int i : sorted.order) {
    if (sorted.modes.stride[i] != reached) continue;
    result.push(sorted.modes.shape[i], sorted.before[i]);
    reached = checked_mul(reached, sorted.modes.shape[i], "size");
  }
  return coalesced_layout(result);
}

Layout left_inverse(const Layout& layout) {
  const SortedModes sorted = sorted_modes(layout);
  FlatModes result;
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
  return coalesced_layout(result);
}

}  // namespace jute
