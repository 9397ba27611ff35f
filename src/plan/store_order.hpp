#pragma once
// The order in which a thread stores its accumulators: along rows of D.
#include "plan/fragment.hpp"

namespace jute::plan {

struct StoreOrder {
  std::vector<Index> accumulator;  ///< position in the C fragment of each value in store order
  TileAccess tile;                 ///< (thread, store position) -> m + tile_m * n
};
[[nodiscard]] StoreOrder store_order(const Fragment& c, int tile_m);

/// The largest power of two w ≤ limit such that groups of w values in store order are neighbours
/// along N in every thread, the first at a multiple of w.
[[nodiscard]] int row_run(const StoreOrder& order, int tile_m, int limit);

}  // namespace jute::plan
