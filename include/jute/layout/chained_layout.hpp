#pragma once
// layout ∘ offset ∘ (layout or swizzle): compositions that are no single layout.
#include <jute/base/export.hpp>
#include <jute/layout/swizzle.hpp>

#include <variant>

namespace JUTE_API jute {

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
///   throws  not_compatible: the swizzle has no counterpart there; unsupported: no powers of two
///           decide that, and the layout has more than 2^20 coordinates
using InverseLayout = std::variant<ComposedLayout, ChainedLayout>;
[[nodiscard]] InverseLayout right_inverse(const ComposedLayout& layout);
[[nodiscard]] InverseLayout left_inverse(const ComposedLayout& layout);

/// The layout whose coordinates a composition takes.
///   throws  wrong_type: a chain that ends in a swizzle has none
[[nodiscard]] const Layout& domain(const ChainedLayout& layout);
[[nodiscard]] inline const Layout& domain(const ComposedLayout& layout) { return layout.layout(); }
[[nodiscard]] Index size(const ChainedLayout& layout);

/// Any operation on coordinates, for what stands behind a swizzle or an outer layout: it acts on
/// the domain and the rest stays.
///   example  on_domain(chained, [](const Layout& inner) { return logical_divide(inner, 4); })
template <class Operation>
[[nodiscard]] ComposedLayout on_domain(const ComposedLayout& layout, Operation&& operation) {
  return {layout.swizzle(), layout.offset(), Layout(operation(layout.layout()))};
}
template <class Operation>
[[nodiscard]] ChainedLayout on_domain(const ChainedLayout& layout, Operation&& operation) {
  return {layout.outer, layout.offset, Layout(operation(domain(layout)))};
}

}  // namespace jute
