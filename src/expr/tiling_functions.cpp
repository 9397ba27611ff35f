// Division, product and tiling.
#include "expr/on_domain.hpp"

#include <jute/layout/coordinates.hpp>

namespace jute::expr {

namespace {

/// A division or product of a layout's domain by a tiler.
template <Layout (*operation)(const Layout&, const Tiler&)>
Value by_tiler(const Arguments& args) {
  return on_domain(args, 0, [&](const Layout& layout) { return operation(layout, args.tiler(1)); });
}

template <Layout (*operation)(const Layout&, const Layout&)>
Value by_layout(const Arguments& args) {
  return on_domain(args, 0,
                   [&](const Layout& layout) { return operation(layout, args.layout(1)); });
}

/// A swizzled tiler moves its swizzle to the offsets of the repetition.
Value logical_product_of(const Arguments& args) {
  const auto* tiler = std::get_if<ComposedLayout>(&args[1]);
  if (tiler != nullptr) return logical_product(args.layout(0), *tiler);
  return on_domain(args, 0,
                   [&](const Layout& block) { return logical_product(block, args.tiler(1)); });
}

Value tile_to_shape_of(const Arguments& args) {
  return on_domain(args, 0, [&](const Layout& block) {
    return args.count() > 2 ? tile_to_shape(block, args.tuple(1), args.tuple(2))
                            : tile_to_shape(block, args.tuple(1));
  });
}

Value domain_distribute_of(const Arguments& args) {
  const IntTuple shape = args.is<IntTuple>(0) ? args.tuple(0) : domain_of(args, 0).shape();
  return domain_distribute(shape, args.integer(1));
}

constexpr Function kTilingFunctions[] = {
    {"logical_divide", 2, 2, by_tiler<logical_divide>, "logical_divide(L,tiler)",
     "(tile, rest), by mode for a tuple of tilers."},
    {"zipped_divide", 2, 2, by_tiler<zipped_divide>, "zipped_divide(L,tiler)",
     "((tiles), (rests))."},
    {"tiled_divide", 2, 2, by_tiler<tiled_divide>, "tiled_divide(L,tiler)",
     "((tiles), rest, rest, ...)."},
    {"flat_divide", 2, 2, by_tiler<flat_divide>, "flat_divide(L,tiler)",
     "(tile, tile, ..., rest, rest, ...)."},
    {"logical_product", 2, 2, logical_product_of, "logical_product(block,tiler)",
     "(block, repetition), by mode for a tuple of tilers."},
    {"zipped_product", 2, 2, by_tiler<zipped_product>, "zipped_product(block,tiler)",
     "((blocks), (repetitions))."},
    {"tiled_product", 2, 2, by_tiler<tiled_product>, "tiled_product(block,tiler)",
     "((blocks), repetition, repetition, ...)."},
    {"flat_product", 2, 2, by_tiler<flat_product>, "flat_product(block,tiler)",
     "(block, block, ..., repetition, repetition, ...)."},
    {"blocked_product", 2, 2, by_layout<blocked_product>, "blocked_product(block,tiler)",
     "Repeats a block mode by mode, block first."},
    {"raked_product", 2, 2, by_layout<raked_product>, "raked_product(block,tiler)",
     "Repeats a block mode by mode, interleaved."},
    {"tile_to_shape", 2, 3, tile_to_shape_of, "tile_to_shape(block,shape[,order])",
     "Repeats a block until it fills a shape."},
    {"domain_distribute", 2, 2, domain_distribute_of, "domain_distribute(shape,n)",
     "Distributes n elements over a shape."},
};

}  // namespace

std::span<const Function> tiling_functions() { return kTilingFunctions; }

}  // namespace jute::expr
