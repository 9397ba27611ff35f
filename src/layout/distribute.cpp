// Division by what does not divide, and the share of each thread.
#include <jute/layout/algebra.hpp>
#include <jute/layout/coordinates.hpp>
#include <jute/layout/detail/refusal.hpp>
#include <jute/layout/distribute.hpp>
#include <jute/layout/properties.hpp>
#include <jute/layout/tiler.hpp>
#include <jute/layout/tuple_arithmetic.hpp>

#include <numeric>
#include <string>
#include <vector>

namespace jute {

namespace {

/// One mode, its extent a multiple of `unit`; `operand` is what a refusal calls the units.
Layout whole_tiles(const Layout& mode, const IntTuple& unit, const std::string& operand) {
  const Index extent = size(mode);
  if (unit.is_tuple() || unit.is_wildcard() || unit.value() < 1)
    layout::refuse(ErrorCode::out_of_range, operand, to_string(unit),
                   "each mode must be an extent of at least 1", "1");
  if (extent % unit.value() == 0) return mode;
  if (mode.shape().is_tuple())
    layout::refuse(ErrorCode::not_divisible, operand, to_string(unit),
                   "it must divide the " + std::to_string(extent) +
                       " elements of a nested mode, which cannot grow");
  return Layout(round_up(IntTuple(extent), unit), mode.stride());
}

Layout covered(const Layout& matrix, const IntTuple& shape, const std::string& operand) {
  if (!shape.is_tuple()) return whole_tiles(matrix, shape, operand);
  if (matrix.rank() != shape.rank() || !matrix.shape().is_tuple())
    layout::refuse(ErrorCode::wrong_arity, operand, to_string(shape),
                   "it must have an extent for each of the " + std::to_string(matrix.rank()) +
                       " modes of " + layout::shortened(to_string(matrix), 60));
  std::vector<Layout> modes;
  for (int i = 0; i < matrix.rank(); ++i)
    modes.push_back(whole_tiles(matrix[i], shape[i], operand));
  return make_layout(modes);
}

/// A number of threads as a grid: as wide as divides the tile's columns, the rest below.
IntTuple grid_of(Index threads, const Layout& tile) {
  std::vector<Index> extents(static_cast<std::size_t>(tile.rank()), 1);
  for (int i = tile.rank() - 1; i > 0; --i) {
    extents[static_cast<std::size_t>(i)] = std::gcd(threads, size(tile[i]));
    threads /= extents[static_cast<std::size_t>(i)];
  }
  extents.front() = threads;
  return IntTuple::tuple(std::vector<IntTuple>(extents.begin(), extents.end()));
}

}  // namespace

Layout tile(const Layout& matrix, const IntTuple& shape) {
  return zipped_divide(covered(matrix, shape, "tile"), Tiler(shape));
}

Layout dist_to_thread(const Layout& tile, const Layout& threads) {
  if (!is_bijective(threads))
    layout::refuse(ErrorCode::not_injective, "threads", to_string(threads),
                   "each thread from 0 on must take one element of the grid",
                   to_string(make_layout(threads.shape(), CompactOrder::right)));
  const bool is_line = !tile.shape().is_tuple() && !threads.shape().is_tuple();
  const IntTuple shape = is_line ? threads.shape() : product_each(threads.shape());
  return composition(zipped_divide(covered(tile, shape, "threads"), Tiler(shape)),
                     Tiler({Tiler(right_inverse(threads)), Tiler::wildcard()}));
}

Layout dist_to_thread(const Layout& tile, const IntTuple& threads) {
  if (threads.is_integer() && threads.value() < 1)
    layout::refuse(ErrorCode::out_of_range, "threads", to_string(threads),
                   "there must be at least 1 thread", "1");
  const bool is_number = threads.is_integer() && tile.shape().is_tuple() && tile.rank() > 0;
  return dist_to_thread(
      tile, make_layout(is_number ? grid_of(threads.value(), tile) : threads, CompactOrder::right));
}

}  // namespace jute
