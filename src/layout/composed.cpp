// Operations on swizzle ∘ offset ∘ layout: those on the domain act on the inner layout.
#include <jute/layout/algebra.hpp>
#include <jute/layout/detail/refusal.hpp>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <numeric>

namespace jute {

namespace {

void require_no_offset(const ComposedLayout& layout) {
  if (layout.offset() == 0) return;
  layout::refuse(ErrorCode::not_compatible, "offset", std::to_string(layout.offset()),
                 "the offset between swizzle and layout must be 0", "0");
}

/// The offset of the last coordinate with everything but the swizzle's two fields left out of each
/// mode's stride.
Index fields_of_last(const Layout& layout, const Swizzle& swizzle) {
  const Index low = Index{1} << swizzle.base();
  const Index field = Index{1} << swizzle.bits();
  const Index between = Index{1} << (std::abs(swizzle.shift()) - swizzle.bits());
  const Layout only_fields(IntTuple{low, field, between, field, 1},
                           IntTuple{0, low, 0, low * field * between, 0});
  const Layout fields = composition(only_fields, layout);
  return fields(size(fields) - 1);
}

/// Is there nothing before the layout, not even a swizzle of no bits, whose base still counts?
bool stands_alone(const ComposedLayout& layout) {
  return layout.swizzle() == Swizzle() && layout.offset() == 0;
}

/// The swizzle between the images of both fields under a layout.
Swizzle moved_swizzle(Index source, Index target, const Layout& layout) {
  try {
    return make_swizzle(source, target);
  } catch (const Exception&) {
    layout::refuse(
        ErrorCode::not_compatible, "layout", to_string(layout),
        "the layout must map the swizzle's two bit fields to two fields of equal length");
  }
}

}  // namespace

Swizzle make_swizzle(Index source, Index target) {
  const auto count = [](Index mask) { return std::popcount(static_cast<std::uint64_t>(mask)); };
  const auto low = [](Index mask) { return std::countr_zero(static_cast<std::uint64_t>(mask)); };
  if (source == 0 && target == 0) return Swizzle(0, 0, 0);
  if (source > 0 && target > 0 && count(source) == count(target)) {
    const int shift = low(source) - low(target);
    const int bits = count(source);
    const int base = std::min(low(source), low(target));
    if (std::abs(shift) >= bits && bits + base + std::abs(shift) <= 62) {
      const Swizzle swizzle(bits, base, shift);
      if (swizzle.source_mask() == source && swizzle.target_mask() == target) return swizzle;
    }
  }
  layout::refuse(ErrorCode::not_compatible, "masks",
                 std::to_string(source) + ", " + std::to_string(target),
                 "two masks must each be one run of bits, equally many, and must not overlap");
}

ComposedLayout composition(const Swizzle& swizzle, Index offset, const Layout& layout) {
  if (swizzle.bits() == 0 && offset == 0) return ComposedLayout(layout);
  return ComposedLayout(swizzle, offset, layout);
}

ComposedLayout composition(const Swizzle& swizzle, const Layout& layout) {
  return composition(swizzle, 0, layout);
}

ComposedLayout composition(const ComposedLayout& lhs, const Tiler& rhs) {
  return composition(lhs.swizzle(), lhs.offset(), composition(lhs.layout(), rhs));
}

ComposedLayout composition(const Layout& lhs, const Swizzle& rhs) {
  const Index source = lhs(rhs.source_mask());
  const Index target = lhs(rhs.target_mask());
  return composition(moved_swizzle(source, target, lhs), lhs);
}

ComposedLayout composition(const Layout& lhs, const ComposedLayout& rhs) {
  require_no_offset(rhs);
  return composition(composition(lhs, rhs.swizzle()), rhs.layout());
}

Swizzle composition(const Swizzle& lhs, const Swizzle& rhs) {
  if (lhs.shift() != rhs.shift()) {
    layout::refuse(
        ErrorCode::not_compatible, "rhs", to_string(rhs),
        "two swizzles need one shift to make one swizzle, here " + std::to_string(lhs.shift()));
  }
  return make_swizzle(lhs.source_mask() ^ rhs.source_mask(), lhs.target_mask() ^ rhs.target_mask());
}

ComposedLayout logical_product(const Layout& block, const ComposedLayout& tiler) {
  require_no_offset(tiler);
  const Swizzle& swizzle = tiler.swizzle();
  const Layout product = logical_product(block, Tiler(tiler.layout()));
  if (swizzle.bits() == 0) return ComposedLayout(product);
  // Which bits of the two fields the tiler reaches at all.
  const Index fields = swizzle.source_mask() | swizzle.target_mask();
  const Index reached = fields_of_last(tiler.layout(), swizzle) & fields;
  const Layout repetition = product[1];
  const auto moved = [&](Index mask) { return repetition(tiler.layout()(reached & mask)); };
  return composition(
      moved_swizzle(moved(swizzle.source_mask()), moved(swizzle.target_mask()), tiler.layout()),
      product);
}

Index max_common_vector(const ComposedLayout& a, const ComposedLayout& b) {
  // A plain layout goes second, as in CuTe: the runs of the second are those that count.
  const bool swapped = stands_alone(a) && !stands_alone(b);
  Index common = swapped ? max_common_vector(b.layout(), a.layout())
                         : max_common_vector(a.layout(), b.layout());
  if (!stands_alone(a) && !stands_alone(b) && a.swizzle() == b.swizzle()) return common;
  for (const ComposedLayout* side : {&a, &b}) {
    if (!stands_alone(*side)) common = std::min(common, Index{1} << side->swizzle().base());
  }
  return common;
}

Layout max_common_layout(const ComposedLayout& a, const ComposedLayout& b) {
  if (!stands_alone(a) && !stands_alone(b)) {
    layout::refuse(ErrorCode::not_compatible, "b", to_string(b),
                   "one of the two layouts must be plain, with no swizzle before it");
  }
  const ComposedLayout& swizzled = stands_alone(b) ? a : b;
  const Layout& plain = stands_alone(b) ? b.layout() : a.layout();
  Layout common = max_common_layout(swizzled.layout(), plain);
  const Index kept = Index{1} << swizzled.swizzle().base();
  if (!stands_alone(swizzled) && kept < size(common)) common = composition(common, Tiler(kept));
  return common;
}

Index max_alignment(const ComposedLayout& layout) {
  if (stands_alone(layout)) return max_alignment(layout.layout());
  const Index span = Index{1} << layout.swizzle().base();
  return std::gcd(std::gcd(span, layout.offset()), max_alignment(layout.layout()));
}

Layout nullspace(const ComposedLayout& layout) {
  return stands_alone(layout) ? nullspace(layout.layout()) : Layout();
}

ComposedLayout coalesce(const ComposedLayout& layout) {
  return composition(layout.swizzle(), layout.offset(), coalesce(layout.layout()));
}
ComposedLayout coalesce(const ComposedLayout& layout, const IntTuple& profile) {
  return composition(layout.swizzle(), layout.offset(), coalesce(layout.layout(), profile));
}
ComposedLayout logical_divide(const ComposedLayout& layout, const Tiler& tiler) {
  return composition(layout.swizzle(), layout.offset(), logical_divide(layout.layout(), tiler));
}
ComposedLayout zipped_divide(const ComposedLayout& layout, const Tiler& tiler) {
  return composition(layout.swizzle(), layout.offset(), zipped_divide(layout.layout(), tiler));
}
ComposedLayout tiled_divide(const ComposedLayout& layout, const Tiler& tiler) {
  return composition(layout.swizzle(), layout.offset(), tiled_divide(layout.layout(), tiler));
}
ComposedLayout flat_divide(const ComposedLayout& layout, const Tiler& tiler) {
  return composition(layout.swizzle(), layout.offset(), flat_divide(layout.layout(), tiler));
}
ComposedLayout tile_to_shape(const ComposedLayout& block, const IntTuple& shape) {
  return composition(block.swizzle(), block.offset(), tile_to_shape(block.layout(), shape));
}
ComposedLayout tile_to_shape(const ComposedLayout& block, const IntTuple& shape,
                             const IntTuple& order) {
  return composition(block.swizzle(), block.offset(), tile_to_shape(block.layout(), shape, order));
}

}  // namespace jute
