// Compositions that are no single layout, and the inverses of swizzled layouts.
#include <jute/base/checked.hpp>
#include <jute/layout/algebra.hpp>
#include <jute/layout/chained_layout.hpp>
#include <jute/layout/detail/refusal.hpp>
#include <jute/layout/xor_form.hpp>

#include <optional>

namespace jute {

Index ChainedLayout::operator()(Index coordinate) const {
  const Index inside = std::visit([&](const auto& map) { return map(coordinate); }, inner);
  return outer(checked_add(offset, inside, "offset"));
}

const Layout& domain(const ChainedLayout& layout) {
  const auto* inner = std::get_if<Layout>(&layout.inner);
  if (inner == nullptr) {
    layout::refuse(
        ErrorCode::wrong_type, "layout", to_string(layout),
        "its coordinates must be those of a layout, not the numbers that a swizzle takes");
  }
  return *inner;
}

Index size(const ChainedLayout& layout) { return size(domain(layout)); }

std::string to_string(const ChainedLayout& layout) {
  return to_string(layout.outer) + 'o' + std::to_string(layout.offset) + 'o' +
         std::visit([](const auto& map) { return to_string(map); }, layout.inner);
}

namespace {

/// Is outer(inner(i)) == i for every coordinate of inner? Where both are linear over bits, the
/// powers of two decide.
bool undoes(const ComposedLayout& outer, const ComposedLayout& inner) {
  constexpr Index kMostWalked = Index{1} << 20;
  const Index count = size(inner);
  const std::optional<XorForm> outer_form = xor_form(outer);
  const std::optional<XorForm> inner_form = xor_form(inner);
  bool linear = outer_form && inner_form;
  if (linear) {
    Index reached = inner_form->constant;
    for (const Index column : inner_form->columns) reached |= column;
    linear = reached < size(outer);
  }
  if (!linear && count > kMostWalked) {
    layout::refuse(
        ErrorCode::unsupported, "layout", to_string(inner),
        "a swizzled layout that is not linear over bits must, for its inverse, have at most "
        "2^20 coordinates",
        std::to_string(kMostWalked));
  }
  for (Index i = 0; i < count; i = linear && i > 0 ? 2 * i : i + 1) {
    if (outer(inner(i)) != i) return false;
  }
  return true;
}

enum class Side { left, right };

InverseLayout inverse(const ComposedLayout& layout, const Layout& inner_inverse, Side side) {
  if (layout.offset() != 0) {
    return ChainedLayout{inner_inverse, checked_mul(-1, layout.offset(), "offset"),
                         layout.swizzle()};
  }
  const ComposedLayout moved = composition(inner_inverse, layout.swizzle());
  if (layout.swizzle().bits() == 0) return moved;  // as of the plain layout, which is not checked
  if (!(side == Side::left ? undoes(moved, layout) : undoes(layout, moved))) {
    layout::refuse(
        ErrorCode::not_compatible, "layout", to_string(layout),
        "the swizzle moves to the offsets of the inverse: the layout must reach both of its "
        "fields and keeps the order of their bits");
  }
  return moved;
}

}  // namespace

InverseLayout right_inverse(const ComposedLayout& layout) {
  return inverse(layout, right_inverse(layout.layout()), Side::right);
}

InverseLayout left_inverse(const ComposedLayout& layout) {
  return inverse(layout, left_inverse(layout.layout()), Side::left);
}

}  // namespace jute
