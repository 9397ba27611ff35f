// Parts of a tensor's layout: one tile, one thread's share; and a layout out of its offsets.
#include "expr/fitted_layout.hpp"
#include "expr/function.hpp"
#include "expr/on_domain.hpp"

#include <jute/base/error.hpp>
#include <jute/base/refuse.hpp>
#include <jute/layout/algebra.hpp>
#include <jute/layout/coordinates.hpp>
#include <jute/layout/distribute.hpp>
#include <jute/layout/modes.hpp>
#include <jute/layout/tuple_arithmetic.hpp>

namespace jute::expr {

namespace {

/// All of a mode, whether it is one extent or several.
IntTuple whole(const Layout& mode) {
  if (!mode.shape().is_tuple()) return IntTuple::wildcard();
  return IntTuple::tuple(
      std::vector<IntTuple>(static_cast<std::size_t>(mode.rank()), IntTuple::wildcard()));
}

/// A coordinate for all modes: those that it leaves out stay whole.
IntTuple filled(const IntTuple& coordinate, const Layout& mode) {
  if (!coordinate.is_tuple()) return coordinate;
  if (!mode.shape().is_tuple() && coordinate.rank() == 1) return coordinate[0];
  return append(coordinate, std::max(mode.rank(), coordinate.rank()), IntTuple::wildcard());
}

/// The tilers that a step such as (1,_,1) keeps.
Tiler kept(const IntTuple& step, const Tiler& tiler) {
  if (tiler.kind() != Tiler::Kind::tuple) return tiler;
  std::vector<Tiler> modes;
  for (int i = 0; i < static_cast<int>(tiler.modes().size()) && i < step.rank(); ++i)
    if (!step[i].is_wildcard()) modes.push_back(tiler.modes()[static_cast<std::size_t>(i)]);
  return Tiler(std::move(modes));
}

Value sliced(const IntTuple& tile, const IntTuple& rest, const ComposedLayout& divided) {
  const ComposedAndOffset part = slice_and_offset(IntTuple{tile, rest}, divided);
  return ValueList{{part.layout, part.offset}};
}

/// As CuTe's inner_partition of the tensor.
Value local_tile_of(const Arguments& args) {
  Tiler tiler = args.tiler(1);
  IntTuple coordinate = args.tuple(2);
  if (args.count() > 3) {
    tiler = kept(args.tuple(3), tiler);
    coordinate = dice(args.tuple(3), coordinate);
  }
  const ComposedLayout divided = zipped_divide(args.composed(0), tiler);
  const Layout& domain = divided.layout();
  return sliced(whole(domain[0]), filled(coordinate, domain[1]), divided);
}

/// As CuTe's outer_partition of the tensor.
Value local_partition_of(const Arguments& args) {
  const Layout& threads = args.layout(1);
  const ComposedLayout divided =
      zipped_divide(args.composed(0), Tiler(product_each(threads.shape())));
  const IntTuple coordinate = get_flat_coord(threads, args.integer(2));
  const Layout& domain = divided.layout();
  return sliced(filled(coordinate, domain[0]), whole(domain[1]), divided);
}

Value tile_of(const Arguments& args) {
  return on_domain(args, 0, [&](const Layout& matrix) { return tile(matrix, args.tuple(1)); });
}

Value dist_to_thread_of(const Arguments& args) {
  return on_domain(args, 0, [&](const Layout& tile) {
    return args.is<IntTuple>(1) ? dist_to_thread(tile, args.tuple(1))
                                : dist_to_thread(tile, args.layout(1));
  });
}

Value layout_of_offsets(const Arguments& args) {
  std::vector<Index> offsets;
  for (int i = 0; i < args.count(); ++i)
    for (const Index offset : args.tuple(i).leaves()) offsets.push_back(offset);
  const auto fitted = fitted_layout(offsets);
  if (!fitted)
    jute::refuse(ErrorCode::not_compatible, "offsets", std::to_string(offsets.size()) + " offsets",
                 "they must be those of a layout, alone or behind a swizzle");
  if (fitted->offset == 0) return fitted->layout;
  return ValueList{{fitted->layout, fitted->offset}};
}

constexpr Function kPartitionFunctions[] = {
    {"local_tile", 3, 4, local_tile_of, "local_tile(L,tiler,coordinate[,step])",
     "One tile: layout and offset. A step such as (1,_,1) leaves modes of the tiler out."},
    {"local_partition", 3, 3, local_partition_of, "local_partition(L,thr_layout,thread)",
     "A thread's elements, one from each tile of the threads: layout and offset."},
    {"tile", 2, 2, tile_of, "tile(L,shape)",
     "((tile), (tiles)) of a matrix; what the shape does not divide is rounded up."},
    {"dist_to_thread", 2, 2, dist_to_thread_of, "dist_to_thread(L,threads)",
     "(thread, steps) of a tile; a number or shape of threads counts row by row."},
    {"layout_of", 1, kAnyNumber, layout_of_offsets, "layout_of(offset,offset,...)",
     "The layout that has these offsets, first mode fastest."},
};

}  // namespace

std::span<const Function> partition_functions() { return kPartitionFunctions; }

}  // namespace jute::expr
