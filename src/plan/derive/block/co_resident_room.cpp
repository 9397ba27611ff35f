// Stages and bytes by which blocks find room on an SM, or do not.
#include "plan/derive/block/co_resident_room.hpp"

#include <algorithm>

#include "plan/cost/release.hpp"
#include "plan/derive/block/warpgroup_tile_of.hpp"
#include "plan/derive/drain/gathers.hpp"
#include "plan/derive/drain/slices.hpp"
#include "plan/shapes/warpgroups/room.hpp"
#include "plan/values/step_grid.hpp"
#include "plan/values/tile_counts.hpp"

namespace jute::plan {
namespace {

double planned_blocks(const GemmStep& step) {
  return tiles_of(step.tile, step.m.value, step.n.value, step.batch.value);
}

}  // namespace

void leave_half(GemmStep& step, const Tile& choice, const KernelProblem& problem,
                const DeviceInfo& device, bool stages_are_given) {
  KernelSchedule& schedule = step.schedule;
  if (schedule.releases != Release::at_start || walks(schedule) || schedule.is_generic) return;
  if (!is_wgmma(step.mma.atom().form) || step.promote_every_k > 0) return;
  if (step.tile.m < 1 || step.tile.n < 1) return;  // what the rules refuse
  const double sms = device.sm_count, blocks = planned_blocks(step);
  if (has_co_resident_room(blocks, sms, false) || !has_co_resident_room(blocks, sms, true)) return;
  Tile tile = warpgroup_tile_of(step, device);
  tile.m_at_run_time = choice.m_at_run_time;
  tile.width_at_run_time = choice.width_at_run_time;
  const int stages = stages_of_half(tile, problem, device);
  if (stages == 0 || (stages_are_given && schedule.stages > stages)) return;
  schedule.stages = std::min(schedule.stages, stages);
  schedule.blocks_per_sm = 2;
}

void keep_apart(GemmStep& step, const DeviceInfo& device) {
  constexpr Index kUnit = 128;  // that shared memory is given out by
  const KernelSchedule& schedule = step.schedule;
  if (schedule.releases != Release::at_start || (walks(schedule) && !has_own_tiles(step))) return;
  if (schedule.split_k > 1) return;  // the first to come wait for the others anyway
  const double blocks = planned_blocks(step);
  if (!are_kept_apart(blocks, device.sm_count)) return;
  const Index least = half_of_sm(device) + kUnit;
  if (least <= device.smem_bytes_per_block)
    step.dynamic_smem_bytes = std::max(step.dynamic_smem_bytes, least);
}

bool has_own_tiles(const GemmStep& step) {
  const KernelSchedule& schedule = step.schedule;
  return schedule.is_generic && schedule.ping_pong == 1 && !gathers(step.epilogue) &&
         blocks_of({step.tile.m, step.tile.n}, schedule.cluster, step.m.value, step.n.value,
                   step.batch.value) == schedule.persistent_blocks;
}

std::array<Count, 3> grid_of_tiles(const GemmStep& step) {
  const KernelSchedule& schedule = step.schedule;
  if (has_own_tiles(step))
    return {ceil_div(step.m.count, step.tile.m * schedule.cluster.m) * blocks(schedule.cluster),
            ceil_div(step.n.count, step.tile.n * schedule.cluster.n) * step.batch.count,
            schedule.split_k};
  if (walks(schedule))
    return {min(schedule.persistent_blocks, tiles(step)), 1,
            schedule.split_k_at_run_time ? Count(RunValue{RunValue::Quantity::split_k})
                                         : Count(schedule.split_k)};
  if (schedule.whole_tiles > 0) return cut_tail_grid(step);
  std::array<Count, 3> grid = tile_grid(step);
  if (lies_along_n(schedule)) std::swap(grid[0], grid[1]);
  grid[2] = grid[2] * schedule.split_k;
  return grid;
}

}  // namespace jute::plan
