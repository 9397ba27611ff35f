// Holds a step with widths to what its kernel is written for.
#include "plan/rules/width_rules.hpp"

#include <string>
#include <utility>

#include "base/format.hpp"
#include "plan/values/tile_width.hpp"

namespace jute::plan {

Errors width_rules(const GemmStep& step) {
  const KernelSchedule& schedule = step.schedule;
  Errors errors;
  if (schedule.widths.empty() && schedule.split_k_at_run_time)
    errors.push_back(broken("split_k_at_run_time", "true",
                            "slices that a launch gives need tiles whose columns it gives",
                            "false"));
  if (schedule.widths.empty()) return errors;
  const auto need = [&](bool holds, std::string rule) {
    if (!holds)
      errors.push_back(
          broken("widths", std::to_string(schedule.widths.size()), std::move(rule), "none"));
  };
  need(schedule.widths == tile_widths(step.tile.m, step.tile.n),
       base::format("widths must be the multiples of {} up to tile.n, from half of it on where a "
                    "tile has more than {} rows",
                    kUnitOfWidths, kGroupRows));
  const bool is_read_whole = descriptor_of(step.a) && descriptor_of(step.b) &&
                             tma_of(step.b).boxes && step.b.major == Major::k &&
                             tma_of(step.b).boxes->outer == step.tile.n &&
                             size(tma_of(step.b).boxes->place) == 1;
  need(is_read_whole && step.products.empty() && step.promote_every_k == 0,
       "columns that a launch gives need a B along K of one box a stage, which instructions read "
       "there, whose sums are added once");
  need(step.tile.n == step.mma.atom().shape.n,
       "columns that a launch gives need instructions as wide as the tile");
  need(
      !schedule.split_k_at_run_time || (step.tile.m == kGroupRows && step.accumulate == DType::f32),
      base::format("slices that a launch gives need tiles of {} rows, and sums of f32",
                   kGroupRows));
  need(walks(schedule) && blocks(schedule.cluster) == 1 && schedule.ping_pong == 1 &&
           schedule.split_k == 1 && !schedule.is_generic,
       "columns that a launch gives need blocks that walk over tiles alone, without slices of K");
  const std::optional<SubtileDrain>& drain = step.epilogue.drain;
  need(drain && drain->exit == SubtileExit::boxes && !drain->c_atom &&
           size(drain->boxes->place) == 1,
       "columns that a launch gives need subtiles that TMA stores, a box each");
  if (!errors.empty()) return errors;
  const Index subtiles =
      Index{drain->groups} * drain->turns * drain->stride_elems * width_bytes(step.epilogue.d_type);
  need(subtiles <= ring_bytes(step),
       "columns that a launch gives need stages as large as all subtiles of a tile");
  return errors;
}

}  // namespace jute::plan
