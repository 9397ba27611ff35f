// Stages and bytes by which blocks find room on an SM, or do not.
#include "plan/derive/block/room_beside.hpp"

#include <algorithm>

#include "plan/cost/room.hpp"
#include "plan/derive/block/group_tile_of.hpp"
#include "plan/derive/drain/gathers.hpp"
#include "plan/values/tile_counts.hpp"

namespace jute::plan {
namespace {

double planned_blocks(const GemmStep& step) {
  return tiles_of(step.tile, step.m.value, step.n.value, step.batch.value);
}

}  // namespace

void leave_half(GemmStep& step, const GroupTile& choice, const KernelProblem& problem,
                const DeviceInfo& device, bool stages_are_given) {
  KernelSchedule& schedule = step.schedule;
  if (schedule.releases != Release::at_start || walks(schedule) || schedule.is_shared) return;
  if (!is_wgmma(step.mma.atom().form) || step.promote_every_k > 0) return;
  if (step.tile.m < 1 || step.tile.n < 1) return;  // what the rules refuse
  const double sms = device.sm_count, blocks = planned_blocks(step);
  if (has_room_beside(blocks, sms, false) || !has_room_beside(blocks, sms, true)) return;
  GroupTile tile = group_tile_of(step, device);
  tile.any_m = choice.any_m;
  tile.any_width = choice.any_width;
  const int stages = stages_of_half(tile, problem, device);
  if (stages == 0 || (stages_are_given && schedule.stages > stages)) return;
  schedule.stages = std::min(schedule.stages, stages);
  schedule.blocks_per_sm = 2;
}

void keep_apart(GemmStep& step, const DeviceInfo& device) {
  constexpr Index kUnit = 128;  // that shared memory is given out by
  const KernelSchedule& schedule = step.schedule;
  if (schedule.releases != Release::at_start || (walks(schedule) && !has_own_tiles(step))) return;
  if (schedule.slices > 1) return;  // the first to come wait for the others anyway
  const double blocks = planned_blocks(step);
  if (!are_kept_apart(blocks, device.sm_count)) return;
  const Index least = half_of_sm(device) + kUnit;
  if (least <= device.smem_bytes_per_block)
    step.dynamic_smem_bytes = std::max(step.dynamic_smem_bytes, least);
}

bool has_own_tiles(const GemmStep& step) {
  const KernelSchedule& schedule = step.schedule;
  return schedule.is_shared && schedule.teams == 1 && !gathers(step.epilogue) &&
         blocks_of({step.tile.m, step.tile.n}, schedule.cluster, step.m.value, step.n.value,
                   step.batch.value) == schedule.persistent_blocks;
}

}  // namespace jute::plan
