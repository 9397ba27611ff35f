// Recounts layouts in elements of another width.
#include <jute/base/checked.hpp>
#include <jute/layout/cast.hpp>
#include <jute/layout/detail/refusal.hpp>

#include <algorithm>
#include <bit>
#include <numeric>

#include "layout/flat_modes.hpp"
#include "layout/magnitude.hpp"

namespace jute {

namespace {

using layout::LayoutView;
using layout::Node;

void require_factor(Index n, const char* operand) {
  if (n >= 1) return;
  layout::refuse(ErrorCode::out_of_range, operand, std::to_string(n), "it must be at least 1", "1");
}

void upcast_leaf(Index extent, Index stride, Index n, LayoutBuilder& out) {
  if (stride == 0) return out.leaf(extent, 0);
  const Index step = magnitude(stride);
  if (step % n != 0 && n % step != 0) {
    layout::refuse(ErrorCode::not_divisible, "stride", std::to_string(stride),
                   "it must divide the factor " + std::to_string(n) + " or be a multiple of it",
                   std::to_string(std::gcd(step, n)));
  }
  out.leaf(ceil_div(extent, ceil_div(n, step)), (stride < 0 ? -1 : 1) * ceil_div(step, n));
}

/// Calls `leaf(extent, stride, i)` for each leaf and copies the nesting.
template <class Leaf>
Layout with_leaves(const Layout& layout, Leaf&& leaf) {
  const LayoutView view = layout.view();
  LayoutBuilder builder;
  int i = 0;
  for (const Node node : view.nodes) {
    switch (node) {
      case Node::open:
        builder.open();
        break;
      case Node::close:
        builder.close();
        break;
      case Node::leaf:
        leaf(i++, builder);
        break;
    }
  }
  return builder.take();
}

int log2_of(Index n) {
  if (!std::has_single_bit(static_cast<std::uint64_t>(n))) {
    layout::refuse(ErrorCode::not_divisible, "n", std::to_string(n),
                   "a swizzle must be recast by a power of two",
                   std::to_string(std::bit_floor(static_cast<std::uint64_t>(n))));
  }
  return std::countr_zero(static_cast<std::uint64_t>(n));
}

/// old:new as a reduced fraction: `up` old elements make `down` new ones.
struct Ratio {
  Index up = 1;
  Index down = 1;
};

Ratio ratio_of(Index old_bits, Index new_bits) {
  require_factor(old_bits, "old_bits");
  require_factor(new_bits, "new_bits");
  const Index common = std::gcd(old_bits, new_bits);
  return {new_bits / common, old_bits / common};
}

template <class Value>
Value recast(const Value& value, Index old_bits, Index new_bits) {
  const Ratio ratio = ratio_of(old_bits, new_bits);
  if (ratio.up == 1 && ratio.down == 1) return value;
  if (ratio.up == 1) return downcast(value, ratio.down);
  if (ratio.down == 1) return upcast(value, ratio.up);
  return downcast(upcast(value, ratio.up), ratio.down);
}

}  // namespace

Layout upcast(const Layout& layout, Index n) {
  require_factor(n, "n");
  if (!layout.is_plain()) {
    layout::refuse(ErrorCode::wrong_type, "layout", to_string(layout),
                   "strides must be plain integers to be counted in elements");
  }
  const LayoutView view = layout.view();
  return with_leaves(layout, [&](int i, LayoutBuilder& out) {
    upcast_leaf(view.shape[i], view.stride[i], n, out);
  });
}

Layout downcast(const Layout& layout, Index n) {
  require_factor(n, "n");
  const LayoutView view = layout.view();
  const bool contiguous = layout.is_plain() && std::find(view.stride, view.stride + view.leaves,
                                                         1) != view.stride + view.leaves;
  if (!contiguous) {
    layout::refuse(ErrorCode::not_compatible, "layout", to_string(layout),
                   "some mode must have stride 1, so that its elements can be split");
  }
  return with_leaves(layout, [&](int i, LayoutBuilder& out) {
    if (view.stride[i] == 1 || view.stride[i] == -1) {
      out.leaf(checked_mul(view.shape[i], n, "extent"), view.stride[i]);
    } else {
      out.leaf(view.shape[i], checked_mul(view.stride[i], n, "stride"));
    }
  });
}

Layout recast_layout(const Layout& layout, Index old_bits, Index new_bits) {
  return recast(layout, old_bits, new_bits);
}

/// A swizzle reads and changes the bits from its base on.
bool keeps_runs(const Swizzle& swizzle, Index n) {
  require_factor(n, "n");
  return swizzle.bits() == 0 || log2_of(n) <= swizzle.base();
}

Swizzle upcast(const Swizzle& swizzle, Index n) {
  require_factor(n, "n");
  const int base = swizzle.base() - log2_of(n);
  if (base >= 0) return Swizzle(swizzle.bits(), base, swizzle.shift());
  return Swizzle(std::max(swizzle.bits() + base, 0), 0, swizzle.shift());
}

Swizzle downcast(const Swizzle& swizzle, Index n) {
  require_factor(n, "n");
  return Swizzle(swizzle.bits(), swizzle.base() + log2_of(n), swizzle.shift());
}

Swizzle recast_layout(const Swizzle& swizzle, Index old_bits, Index new_bits) {
  return recast(swizzle, old_bits, new_bits);
}

ComposedLayout upcast(const ComposedLayout& layout, Index n) {
  if (layout.swizzle() == Swizzle() && layout.offset() == 0) return upcast(layout.layout(), n);
  const Swizzle swizzle = upcast(layout.swizzle(), n);
  if (layout.offset() % n != 0) {
    layout::refuse(ErrorCode::not_divisible, "offset", std::to_string(layout.offset()),
                   "it must be a multiple of the factor " + std::to_string(n),
                   std::to_string(layout.offset() / n * n));
  }
  return ComposedLayout(swizzle, layout.offset() / n, upcast(layout.layout(), n));
}

ComposedLayout downcast(const ComposedLayout& layout, Index n) {
  if (layout.swizzle() == Swizzle() && layout.offset() == 0) return downcast(layout.layout(), n);
  return ComposedLayout(downcast(layout.swizzle(), n), checked_mul(layout.offset(), n, "offset"),
                        downcast(layout.layout(), n));
}

ComposedLayout recast_layout(const ComposedLayout& layout, Index old_bits, Index new_bits) {
  return recast(layout, old_bits, new_bits);
}

}  // namespace jute
