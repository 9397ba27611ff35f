// Compositions that are no single layout, and the inverses of swizzled layouts.
#include <jute/layout/chained_layout.hpp>

#include <jute/base/checked.hpp>
#include <jute/layout/algebra.hpp>

namespace jute {

Index ChainedLayout::operator()(Index coordinate) const {
  const Index inside = std::visit([&](const auto& map) { return map(coordinate); }, inner);
  return outer(checked_add(offset, inside, "offset"));
}

std::string to_string(const ChainedLayout& layout) {
  return to_string(layout.outer) + 'o' + std::to_string(layout.offset) + 'o' +
         std::visit([](const auto& map) { return to_string(map); }, layout.inner);
}

InverseLayout right_inverse(const ComposedLayout& layout) {
  const Layout inverse = right_inverse(layout.layout());
  if (layout.offset() == 0) return composition(inverse, layout.swizzle());
  return ChainedLayout{inverse, checked_mul(-1, layout.offset(), "offset"), layout.swizzle()};
}

InverseLayout left_inverse(const ComposedLayout& layout) {
  const Layout inverse = left_inverse(layout.layout());
  if (layout.offset() == 0) return composition(inverse, layout.swizzle());
  return ChainedLayout{inverse, checked_mul(-1, layout.offset(), "offset"), layout.swizzle()};
}

}  // namespace jute
