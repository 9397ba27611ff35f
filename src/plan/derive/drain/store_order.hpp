#pragma once
// The order in which a thread stores its accumulators: along rows of D.
#include <jute/plan/derive/operand/fragment.hpp>

namespace jute::plan {

struct StoreOrder {
  Layout accumulator;  ///< store position -> position in the C fragment
  Layout tv;           ///< (thread, store position) -> m + tile.m * n
};
[[nodiscard]] StoreOrder store_order(const Fragment& c, const TileShape& tile);

/// The largest power of two w ≤ limit such that groups of w values in store order are neighbours
/// along N in every thread, the first at a multiple of w.
[[nodiscard]] int row_run(const StoreOrder& order, const TileShape& tile, int limit);

}  // namespace jute::plan
