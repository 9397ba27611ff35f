// Functions that ask for shapes, sizes and other measures.
#include <jute/layout/coordinates.hpp>
#include <jute/layout/detail/refusal.hpp>
#include <jute/layout/modes.hpp>

#include "expr/on_domain.hpp"

namespace jute::expr {

namespace {

Value size_of(const Arguments& args) {
  if (const auto* tiled = std::get_if<Boxed<TiledMma>>(&args[0])) return size(**tiled);
  if (const auto* tiled = std::get_if<Boxed<TiledCopy>>(&args[0])) return size(**tiled);
  return args.is<IntTuple>(0) ? size(args.tuple(0)) : size(domain_of(args, 0));
}
Value cosize_of(const Arguments& args) { return cosize(domain_of(args, 0)); }
Value coshape_of(const Arguments& args) { return coshape(domain_of(args, 0)); }

Value rank_of(const Arguments& args) {
  return args.is<IntTuple>(0) ? args.tuple(0).rank() : domain_of(args, 0).rank();
}
Value depth_of(const Arguments& args) {
  return args.is<IntTuple>(0) ? depth(args.tuple(0)) : depth(domain_of(args, 0));
}
Value shape_of(const Arguments& args) {
  if (args.is<IntTuple>(0)) return args[0];
  return domain_of(args, 0).shape();
}
Value stride_of(const Arguments& args) { return args.layout(0).stride(); }

Value nullspace_of(const Arguments& args) {
  // A swizzle or an outer layout moves the zeros; CuTe then knows none but the first.
  return args.is<Layout>(0) ? nullspace(args.layout(0)) : Layout();
}

Value max_alignment_of(const Arguments& args) {
  if (!args.is<ChainedLayout>(0)) return max_alignment(args.composed(0));
  (void)domain_of(args, 0);  // refuses what is no layout
  return 1;
}

Value swizzle_apply(const Arguments& args) {
  const Swizzle& swizzle = args.swizzle(0);
  TupleBuilder images;
  images.open();
  for (int i = 1; i < args.count(); ++i) images.integer(swizzle(args.integer(i)));
  images.close();
  return images.take();
}

Value value_at(const Arguments& args, Index coordinate) {
  if (const auto* chained = std::get_if<ChainedLayout>(&args[0])) return (*chained)(coordinate);
  if (const auto* composed = std::get_if<ComposedLayout>(&args[0])) return (*composed)(coordinate);
  return crd2idx(coordinate, args.layout(0));
}

Value values_of(const Arguments& args) {
  constexpr Index kMost = Index{1} << 20;
  const Index count = size(domain_of(args, 0));
  if (count > kMost) {
    layout::refuse(ErrorCode::out_of_range, "size", std::to_string(count),
                   "it must have at most 1048576 offsets to be listed", std::to_string(kMost));
  }
  TupleBuilder offsets;
  offsets.open();
  for (Index i = 0; i < count; ++i) {
    offsets.append(std::get<IntTuple>(value_at(args, i)).view());
  }
  offsets.close();
  return offsets.take();
}

constexpr Function kShapeFunctions[] = {
    {"size", 1, 1, size_of, "size(L)",
     "Number of coordinates of a layout or shape; threads of a tiled atom."},
    {"cosize", 1, 1, cosize_of, "cosize(L)", "Largest offset of a layout, plus 1."},
    {"coshape", 1, 1, coshape_of, "coshape(L)", "Largest offset plus 1, by mode for unit vectors."},
    {"rank", 1, 1, rank_of, "rank(L)", "Number of modes of a layout or tuple."},
    {"depth", 1, 1, depth_of, "depth(L)", "How deep a layout or tuple nests."},
    {"shape", 1, 1, shape_of, "shape(L)", "Shape of a layout."},
    {"stride", 1, 1, stride_of, "stride(L)", "Strides of a layout."},
    {"nullspace", 1, 1, nullspace_of, "nullspace(L)", "The coordinates that map to 0."},
    {"max_alignment", 1, 1, max_alignment_of, "max_alignment(L)",
     "Alignment that every contiguous run of a layout keeps."},
    {"swizzle_apply", 2, kAnyNumber, swizzle_apply, "swizzle_apply(Sw,x,...)",
     "A swizzle applied to numbers."},
    {"values", 1, 1, values_of, "values(L)", "All offsets, first mode fastest."},
};

}  // namespace

std::span<const Function> shape_functions() { return kShapeFunctions; }

}  // namespace jute::expr
