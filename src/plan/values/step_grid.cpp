// Counts tiles by what a run decides, and blocks by what was planned.
#include "plan/values/step_grid.hpp"

#include <jute/base/checked.hpp>
#include <jute/plan/values/tile_width.hpp>

#include <algorithm>

#include "plan/chip/residency.hpp"

namespace jute::plan {

Count held(const Extent& extent) { return extent.baked ? Count(extent.value) : extent.count; }

std::array<Count, 3> tile_grid(const GemmStep& step) {
  const ClusterShape& cluster = step.schedule.cluster;
  const Count columns = has_widths(step) ? Count(RunValue{RunValue::Quantity::width})
                                         : Count(step.tile.n * cluster.n);
  const Count along_m = Count(cluster.m) * ceil_div(held(step.m), step.tile.m * cluster.m);
  const Count along_n = Count(cluster.n) * ceil_div(held(step.n), columns);
  if (is_batch_first(step.schedule))
    return {ceil_div(held(step.batch), step.schedule.matrices_per_block), along_n, along_m};
  return {along_m, along_n, held(step.batch)};
}

Count tiles(const GemmStep& step) {
  std::array<Count, 3> grid = tile_grid(step);
  // Parts of one matrix each end in a tile of their own.
  if (deals_tiles(step.groups) && !step.groups->is_masked) {
    Count& along = grid[step.groups->along == GroupedAlong::m ? 0 : 1];
    along = along + grid[2];
    grid[2] = 1;
  }
  return grid[0] * grid[1] * grid[2];
}

int co_resident_blocks(const GemmStep& step, const DeviceInfo& device) {
  const Index all = step.schedule.persistent_blocks;
  if (blocks(step.schedule.cluster) > 1 || step.schedule.ping_pong > 1 || all <= device.sm_count)
    return 1;
  const Index most = device.smem_bytes_per_sm / (step.dynamic_smem_bytes + reserved_smem(device));
  return static_cast<int>(std::clamp<Index>(most, 1, ceil_div(all, device.sm_count)));
}

}  // namespace jute::plan
