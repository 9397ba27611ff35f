// Reads the tile off a step's schedule.
#include "plan/derive/block/warpgroup_tile_of.hpp"

#include "plan/derive/block/edge_rows.hpp"
#include "plan/values/block_threads.hpp"
#include "plan/values/step_grid.hpp"

namespace jute::plan {

Tile warpgroup_tile_of(const GemmStep& step, const DeviceInfo& device) {
  Tile tile{};
  tile.m = step.tile.m;
  tile.n = step.tile.n;
  tile.k_bytes = step.tile.k * width_bytes(step.a.type);
  tile.cluster = step.schedule.cluster;
  tile.groups_m = consumer_groups(step);
  tile.split_k = step.schedule.split_k;
  tile.reduction = step.schedule.reduction;
  tile.ping_pong = step.schedule.ping_pong;
  tile.co_resident = co_resident_blocks(step, device);
  tile.swapped = step.epilogue.d_order == Order::col;
  tile.split_k_at_run_time = step.schedule.split_k_at_run_time;
  tile.is_generic = step.schedule.is_generic;
  if (tma_of(step.a).edge_unit + tma_of(step.b).edge_unit > 0)
    tile.edge_rows = EdgeRows::left_out;
  else if (!has_no_rows_past(step))
    tile.edge_rows = EdgeRows::zeros;
  return tile;
}

}  // namespace jute::plan
