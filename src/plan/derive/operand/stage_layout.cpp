// Layouts of stages, one tile or term behind the other.
#include "plan/derive/operand/stage_layout.hpp"

#include <jute/layout/address.hpp>
#include <jute/layout/algebra.hpp>

#include <algorithm>
#include <numeric>

namespace jute::plan {

Layout compact_layout(int tile_mn, int tile_k, Major major) {
  const IntTuple shape{tile_mn, tile_k};
  return major == Major::k ? Layout(shape, IntTuple{tile_k, 1}) : Layout(shape);
}

Index stage_stride(const ComposedLayout& smem, DType type) {
  const Index granule = std::lcm(swizzle_span(smem.swizzle()), Index{128 / width_bytes(type)});
  const std::vector<Index> shape = smem.layout().flat_shape();
  const std::vector<Index> stride = smem.layout().flat_stride();
  Index last = smem.offset();  // before the swizzle, which moves nothing out of its span
  for (size_t mode = 0; mode < shape.size(); ++mode)
    last += std::max<Index>(0, stride[mode]) * (shape[mode] - 1);
  return (last + granule) / granule * granule;
}

ComposedLayout in_halves(const ComposedLayout& tile, DType type) {
  const Layout& one = tile.layout();
  return {tile.swizzle(), tile.offset(),
          make_layout({make_layout({one[0], Layout(2, stage_stride(tile, type))}), one[1]})};
}

ComposedLayout staged(const GemmStep& step, Operand which, const ComposedLayout& tile) {
  return has_halves(step, which) ? in_halves(tile, (which == Operand::a ? step.a : step.b).type)
                                 : tile;
}

ComposedLayout with_terms(const ComposedLayout& tile, int terms, DType type) {
  if (terms == 1) return tile;
  const Layout& one = tile.layout();
  return {tile.swizzle(), tile.offset(),
          make_layout({one[0], one[1], Layout(terms, stage_stride(tile, type))})};
}

}  // namespace jute::plan
