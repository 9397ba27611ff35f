#pragma once
// layout ∘ offset ∘ (layout or swizzle): compositions that are no single layout.
#include <jute/layout/swizzle.hpp>

#include <variant>

namespace jute {

/// coordinate -> outer(offset + inner(coordinate)). What the inverse of a swizzled layout with an
/// offset is, and a composition that was kept because it is no layout itself.
struct ChainedLayout {
  Layout outer;
  Index offset = 0;
  std::variant<Layout, Swizzle> inner;

  /// throws  out_of_range: offset + inner(coordinate) is negative
  [[nodiscard]] Index operator()(Index coordinate) const;
  bool operator==(const ChainedLayout&) const = default;
};

/// `(8,8):(8,1)o-8oSw<3,3,3>`
[[nodiscard]] std::string to_string(const ChainedLayout& layout);

/// The inverse of swizzle ∘ offset ∘ layout: with offset 0 the swizzle moves to the offsets of the
/// inner inverse, otherwise the chain is kept.
using InverseLayout = std::variant<ComposedLayout, ChainedLayout>;
[[nodiscard]] InverseLayout right_inverse(const ComposedLayout& layout);
[[nodiscard]] InverseLayout left_inverse(const ComposedLayout& layout);

}  // namespace jute
