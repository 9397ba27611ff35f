// Products: a block repeated as a tiler says.
#include <jute/base/checked.hpp>
#include <jute/layout/algebra.hpp>
#include <jute/layout/coordinates.hpp>
#include <jute/layout/detail/refusal.hpp>
#include <jute/layout/modes.hpp>

#include <algorithm>
#include <limits>

#include "layout/flat_modes.hpp"
#include "layout/unzip.hpp"

namespace jute {

namespace {

using layout::LayoutView;
using layout::Modes;
using layout::Node;

/// A product chooses the strides of the repetition itself. CuTe does so in 32 bits and wraps around
/// beyond them: where its answer would be wrong there is none here.
void require_32_bits(const LayoutView& block, const LayoutView& repetition) {
  constexpr Index kMost = std::numeric_limits<std::int32_t>::max();
  for (int i = 0; i < repetition.leaves; ++i) {
    if (repetition.stride[i] <= kMost && repetition.stride[i] >= -kMost) continue;
    layout::refuse(ErrorCode::overflow, "tiler.stride", std::to_string(repetition.stride[i]),
                   "the strides at which a product repeats must fit 32 bits, as CuTe's do: " +
                       layout::text_of(block));
  }
}

void multiply_by_layout(const LayoutView& block, const LayoutView& tiler, LayoutBuilder& out) {
  const Layout tiler_layout(tiler);
  const Index room = checked_mul(size(block), cosize(tiler_layout), "size(block) * cosize(tiler)");
  const Layout free = complement(Layout(block), IntTuple(room));
  LayoutBuilder repetition;
  layout::compose_views(free.view(), tiler, layout::Carries::ignored, repetition);
  require_32_bits(block, repetition.view());
  out.open();
  out.append(block);
  out.append(repetition.view());
  out.close();
}

void multiply_into(const LayoutView& block, const Tiler& tiler, LayoutBuilder& out) {
  switch (tiler.kind()) {
    case Tiler::Kind::wildcard:
      return out.append(block);
    case Tiler::Kind::layout:
      return multiply_by_layout(block, tiler.layout().view(), out);
    case Tiler::Kind::extent: {
      static constexpr Node kLeaf = Node::leaf;
      const Index extent = tiler.extent();
      const Index step = extent == 1 ? 0 : 1;
      return multiply_by_layout(block, {{&kLeaf, 1}, &extent, &step, nullptr, 1}, out);
    }
    case Tiler::Kind::tuple:
      break;
  }
  out.open();
  Modes modes(block);
  for (const Tiler& mode : tiler.modes()) {
    if (modes.done()) layout::refuse_long_tiler(tiler, block);
    multiply_into(modes.next(), mode, out);
  }
  while (!modes.done()) out.append(modes.next());
  out.close();
}

/// The product of both sides padded to the same rank.
Layout padded_product(const Layout& block, const Layout& tiler) {
  const int rank = std::max(block.rank(), tiler.rank());
  return logical_product(append(block, rank), append(tiler, rank));
}

/// At least one time the unit; the next above, or where that is no number the one below.
Index nearest_multiple(Index wanted, Index unit) {
  Index above = 0;
  if (!__builtin_mul_overflow(std::max<Index>(1, ceil_div(wanted, unit)), unit, &above))
    return above;
  return wanted / unit * unit;
}

/// Multiples of the block's extents, all of them at once: what is offered is legal.
std::string nearest_target(const IntTuple& target, const IntTuple& block) {
  layout::TupleView view = target.view();
  std::vector<Index> extents(view.values, view.values + view.leaves);
  for (std::size_t i = 0; i < extents.size(); ++i)
    extents[i] = nearest_multiple(extents[i], block.view().values[i]);
  view.values = extents.data();
  return to_string(IntTuple(view));
}

Layout tile_to_shape_with(const Layout& block, const IntTuple& shape, const IntTuple* order) {
  if (block.rank() > shape.rank()) {
    layout::refuse(
        ErrorCode::not_compatible, "block", to_string(block),
        "the block must have at most as many modes as the target shape " + to_string(shape));
  }
  const Layout padded = append(block, shape.rank());
  const IntTuple block_shape = product_each(padded.shape());
  const IntTuple target = product_each(shape);
  for (int i = 0; i < target.leaf_count(); ++i) {
    const Index wanted = target.view().values[i];
    const Index given = block_shape.view().values[i];
    if (wanted >= 1 && wanted % given == 0) continue;
    layout::refuse(ErrorCode::not_divisible, "shape", to_string(shape),
                   "extent " + std::to_string(i) +
                       " of the target must be a multiple of the block's " + std::to_string(given),
                   nearest_target(target, block_shape));
  }
  const IntTuple repeats = ceil_div(target, block_shape);
  const Layout tiler = order == nullptr ? Layout(repeats) : make_ordered_layout(repeats, *order);
  return blocked_product(padded, tiler);
}

}  // namespace

Layout logical_product(const Layout& block, const Tiler& tiler) {
  LayoutBuilder builder;
  multiply_into(block.view(), tiler, builder);
  return builder.take();
}

Layout logical_product(const Layout& block, const Layout& tiler) {
  LayoutBuilder builder;
  multiply_by_layout(block.view(), tiler.view(), builder);
  return builder.take();
}

Layout zipped_product(const Layout& block, const Tiler& tiler) {
  return tile_unzip(logical_product(block, tiler), tiler);
}

Layout tiled_product(const Layout& block, const Tiler& tiler) {
  return layout::spread_rest(zipped_product(block, tiler));
}

Layout flat_product(const Layout& block, const Tiler& tiler) {
  return layout::spread_both(zipped_product(block, tiler));
}

Layout blocked_product(const Layout& block, const Layout& tiler) {
  const Layout product = padded_product(block, tiler);
  return zip(product[0], product[1]);
}

Layout raked_product(const Layout& block, const Layout& tiler) {
  const Layout product = padded_product(block, tiler);
  return zip(product[1], product[0]);
}

Layout tile_to_shape(const Layout& block, const IntTuple& shape) {
  return tile_to_shape_with(block, shape, nullptr);
}

Layout tile_to_shape(const Layout& block, const IntTuple& shape, const IntTuple& order) {
  return tile_to_shape_with(block, shape, &order);
}

}  // namespace jute
