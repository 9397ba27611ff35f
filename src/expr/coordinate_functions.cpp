// Functions between coordinates and indices.
#include "expr/on_domain.hpp"

#include <jute/base/checked.hpp>
#include <jute/layout/coordinates.hpp>

namespace jute::expr {

namespace {

Value crd2idx_of(const Arguments& args) {
  const IntTuple& coordinate = args.tuple(0);
  if (args.is<IntTuple>(1)) return crd2idx(coordinate, args.tuple(1));
  if (args.is<Layout>(1)) return crd2idx(coordinate, args.layout(1));
  const Index inner = crd2idx(coordinate, domain_of(args, 1)).value();
  if (const auto* composed = std::get_if<ComposedLayout>(&args[1])) {
    return composed->swizzle()(checked_add(composed->offset(), inner, "offset"));
  }
  const auto& chained = std::get<ChainedLayout>(args[1]);
  return chained.outer(checked_add(chained.offset, inner, "offset"));
}

Value idx2crd_of(const Arguments& args) {
  if (args.is<Layout>(1)) return idx2crd(args.tuple(0), args.layout(1).shape());
  if (args.count() > 2) return idx2crd(args.tuple(0), args.tuple(1), args.tuple(2));
  return idx2crd(args.tuple(0), args.tuple(1));
}

Value crd2crd_of(const Arguments& args) {
  return crd2crd(args.tuple(0), args.tuple(1), args.tuple(2));
}
Value hier_coord_of(const Arguments& args) {
  return get_hier_coord(args.layout(0), args.integer(1));
}
Value flat_coord_of(const Arguments& args) {
  return get_flat_coord(args.layout(0), args.integer(1));
}
Value coord_1d_of(const Arguments& args) { return get_1d_coord(args.layout(0), args.integer(1)); }

constexpr Function kCoordinateFunctions[] = {
    {"crd2idx", 2, 2, crd2idx_of, "crd2idx(coordinate,L|shape)", "Offset of a coordinate."},
    {"idx2crd", 2, 3, idx2crd_of, "idx2crd(index,shape[,stride])", "Coordinate of an index."},
    {"crd2crd", 3, 3, crd2crd_of, "crd2crd(coordinate,source,target)",
     "A coordinate of one shape as a coordinate of another."},
    {"get_hier_coord", 2, 2, hier_coord_of, "get_hier_coord(L,offset)",
     "Coordinate of an offset, nested like the shape."},
    {"get_flat_coord", 2, 2, flat_coord_of, "get_flat_coord(L,offset)",
     "Coordinate of an offset, one number a mode."},
    {"get_1d_coord", 2, 2, coord_1d_of, "get_1d_coord(L,offset)",
     "Coordinate of an offset as one number."},
};

}  // namespace

std::span<const Function> coordinate_functions() { return kCoordinateFunctions; }

}  // namespace jute::expr
