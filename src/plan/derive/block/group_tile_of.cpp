// Reads the tile off a step's schedule.
#include "plan/derive/block/group_tile_of.hpp"

#include "plan/values/block_threads.hpp"
#include "plan/values/step_grid.hpp"

namespace jute::plan {

GroupTile group_tile_of(const GemmStep& step, const DeviceInfo& device) {
  GroupTile tile{};
  tile.m = step.tile.m;
  tile.n = step.tile.n;
  tile.k_bytes = step.tile.k * width_bytes(step.a.type);
  tile.cluster = step.schedule.cluster;
  tile.atoms_m = consumer_groups(step);
  tile.slices = step.schedule.slices;
  tile.meeting = step.schedule.meeting;
  tile.teams = step.schedule.teams;
  tile.beside = blocks_beside(step, device);
  tile.swapped = step.epilogue.d_order == Order::col;
  tile.any_slices = step.schedule.any_slices;
  tile.is_shared = step.schedule.is_shared;
  tile.edge_rows = step.a.edge_unit + step.b.edge_unit > 0 ? EdgeRows::left_out : EdgeRows::zeros;
  return tile;
}

}  // namespace jute::plan
