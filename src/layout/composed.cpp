// Operations on swizzle ∘ offset ∘ layout: those on the domain act on the inner layout.
#include "layout/refusal.hpp"

#include <jute/layout/algebra.hpp>

#include <bit>
#include <cstdlib>

namespace jute {

namespace {

/// The swizzle that XORs the bits of `source` into those of `target`.
Swizzle swizzle_of_masks(Index source, Index target, const std::string& where) {
  const auto count = [](Index mask) { return std::popcount(static_cast<std::uint64_t>(mask)); };
  const auto low = [](Index mask) { return std::countr_zero(static_cast<std::uint64_t>(mask)); };
  if (source == 0 && target == 0) return Swizzle(0, 0, 0);
  Swizzle swizzle;
  bool good = source > 0 && target > 0 && count(source) == count(target);
  if (good) {
    const int shift = low(source) - low(target);
    const int bits = count(source);
    const int base = std::min(low(source), low(target));
    good = std::abs(shift) >= bits && bits + base + std::abs(shift) <= 62;
    if (good) swizzle = Swizzle(bits, base, shift);
  }
  if (!good || swizzle.source_mask() != source || swizzle.target_mask() != target) {
    layout::refuse(ErrorCode::not_compatible, "layout", where,
                   "the layout maps the swizzle's two bit fields to two fields of equal length");
  }
  return swizzle;
}

}  // namespace

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
  return composition(swizzle_of_masks(source, target, to_string(lhs)), lhs);
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
