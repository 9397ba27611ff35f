// Division by what does not divide, and the share of each thread.
#include <jute/layout/algebra.hpp>
#include <jute/layout/coordinates.hpp>
#include <jute/layout/detail/refusal.hpp>
#include <jute/layout/distribute.hpp>
#include <jute/layout/properties.hpp>
#include <jute/layout/tiler.hpp>
#include <jute/layout/tuple_arithmetic.hpp>

#include <vector>

namespace jute {

namespace {

/// One mode, its extent a multiple of `unit`.
Layout whole_tiles(const Layout& mode, const IntTuple& unit) {
  const Index extent = size(mode);
  if (unit.is_tuple() || unit.is_wildcard() || unit.value() < 1)
    layout::refuse(ErrorCode::out_of_range, "tile", to_string(unit),
                   "each mode of a tile must be an extent of at least 1", "1");
  if (extent % unit.value() == 0) return mode;
  if (mode.shape().is_tuple())
    layout::refuse(ErrorCode::not_divisible, "tile", to_string(unit),
                   "it must divide the " + std::to_string(extent) +
                       " elements of a nested mode, which cannot grow");
  return Layout(round_up(IntTuple(extent), unit), mode.stride());
}

Layout covered(const Layout& matrix, const IntTuple& shape) {
  if (!shape.is_tuple()) return whole_tiles(matrix, shape);
  if (matrix.rank() != shape.rank() || !matrix.shape().is_tuple())
    layout::refuse(ErrorCode::wrong_arity, "tile", to_string(shape),
                   "it must have an extent for each of the " + std::to_string(matrix.rank()) +
                       " modes of " + layout::shortened(to_string(matrix), 60));
  std::vector<Layout> modes;
  for (int i = 0; i < matrix.rank(); ++i) modes.push_back(whole_tiles(matrix[i], shape[i]));
  return make_layout(modes);
}

}  // namespace

Layout tile(const Layout& matrix, const IntTuple& shape) {
  return zipped_divide(covered(matrix, shape), Tiler(shape));
}

Layout dist_to_thread(const Layout& tile, const Layout& threads) {
  if (!is_bijective(threads))
    layout::refuse(ErrorCode::not_injective, "threads", to_string(threads),
                   "each thread from 0 on must take one element of the grid",
                   to_string(make_layout(threads.shape(), CompactOrder::right)));
  const IntTuple shape = product_each(threads.shape());
  return composition(zipped_divide(covered(tile, shape), Tiler(shape)),
                     Tiler({Tiler(right_inverse(threads)), Tiler::wildcard()}));
}

Layout dist_to_thread(const Layout& tile, const IntTuple& threads) {
  return dist_to_thread(tile, make_layout(threads, CompactOrder::right));
}

}  // namespace jute
