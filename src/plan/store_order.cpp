// Sorts a thread's accumulators by row, then by column.
#include "plan/store_order.hpp"

#include <algorithm>
#include <numeric>

namespace jute::plan {

StoreOrder store_order(const Fragment& c, int tile_m) {
  const TileAccess access = tile_access(c.tv);
  StoreOrder order;
  order.accumulator.resize(static_cast<size_t>(access.values));
  std::iota(order.accumulator.begin(), order.accumulator.end(), Index{0});
  const auto row_then_column = [&](Index value) {
    const Index index = access(0, static_cast<int>(value));
    return std::pair(index % tile_m, index / tile_m);
  };
  std::sort(order.accumulator.begin(), order.accumulator.end(),
            [&](Index a, Index b) { return row_then_column(a) < row_then_column(b); });
  order.tile = {access.threads, access.values, {}};
  order.tile.offsets.reserve(access.offsets.size());
  for (const Index value : order.accumulator)
    for (int thread = 0; thread < access.threads; ++thread)
      order.tile.offsets.push_back(access(thread, static_cast<int>(value)));
  return order;
}

int row_run(const StoreOrder& order, int tile_m, int limit) {
  // A row-major tile puts neighbours along N side by side.
  TileAccess row_major = order.tile;
  const Index row_length = Index{1} << 20;
  for (Index& index : row_major.offsets) index = index % tile_m * row_length + index / tile_m;
  return widest_vector(row_major, limit);
}

}  // namespace jute::plan
