// Sorts the modes of a thread's accumulators: those along columns of D run before those along rows.
#include "plan/derive/drain/store_order.hpp"

#include <jute/layout/algebra.hpp>

#include <algorithm>
#include <tuple>

#include "plan/derive/operand/vector_width.hpp"

namespace jute::plan {

StoreOrder store_order(const Fragment& c, const TileShape& tile) {
  struct Mode {
    Index row, column;  ///< how far one step of it goes
    Index extent, stride, place;
  };
  const std::vector<Index> shape = c.tv[1].flat_shape(), stride = c.tv[1].flat_stride();
  std::vector<Mode> modes;
  Index place = 1;
  for (size_t i = 0; i < shape.size(); place *= shape[i], ++i)
    modes.push_back({stride[i] % tile.m, stride[i] / tile.m, shape[i], stride[i], place});
  std::sort(modes.begin(), modes.end(), [](const Mode& a, const Mode& b) {
    return std::tie(a.row, a.column) < std::tie(b.row, b.column);
  });
  std::vector<Layout> accumulators, values;
  for (const Mode& mode : modes) {
    accumulators.emplace_back(mode.extent, mode.place);
    values.emplace_back(mode.extent, mode.stride);
  }
  return {coalesce(make_layout(accumulators)), make_layout({c.tv[0], make_layout(values)})};
}

int row_run(const StoreOrder& order, const TileShape& tile, int limit) {
  // A row-major tile puts neighbours along N side by side; its rows keep vectors apart.
  const Index row_length = Index{1} << 20;
  const Layout row_major(IntTuple{tile.m, tile.n}, IntTuple{row_length, 1});
  return widest_vector(row_major, order.tv, limit);
}

}  // namespace jute::plan
