// Counts the arrivals and bytes of a step's signals.
#include "plan/derive/block/signals.hpp"

#include <jute/plan/values/carried_stages.hpp>
#include <jute/plan/values/promoted_sums.hpp>
#include <jute/plan/values/stored_stages.hpp>

#include <algorithm>

#include "plan/chip/warp.hpp"
#include "plan/shapes/generic_tiles.hpp"
#include "plan/values/block_threads.hpp"
#include "plan/values/tile_width.hpp"

namespace jute::plan {
namespace {

/// Each block's sums are there to read; all have been read, and their block may end.
void add_cluster_barriers(std::vector<Signal>& list, const GemmStep& step) {
  for (const char* name : {"left", "taken"})
    list.push_back({.name = name,
                    .kind = SignalKind::cluster_barrier,
                    .arrivals = step.schedule.split_k * static_cast<int>(size(step.mma)),
                    .in_cluster = true,
                    .raised_by = "consumer",
                    .awaited_by = "consumer"});
}

/// The arrivals of a tile's slices.
Signal arrivals_of_slices(const KernelSchedule& schedule, const char* role) {
  return {.name = "arrived",
          .kind = SignalKind::counter,
          .arrivals = (says_split_k(schedule) ? 1 : schedule.split_k) *
                      (schedule.reduction == SplitK::all_add ? 2 : 1),
          .raised_by = role,
          .awaited_by = role};
}

/// Where all threads load and multiply.
std::vector<Signal> signals_of_workers(const GemmStep& step) {
  std::vector<Signal> list;
  if (groups_of_k(step) > 1)
    list.push_back({.name = "met",
                    .kind = SignalKind::named_barrier,
                    .arrivals = step.threads,
                    .raised_by = "worker",
                    .awaited_by = "worker"});
  if (takes_split_k(step)) list.push_back(arrivals_of_slices(step.schedule, "worker"));
  return list;
}

/// That there are barriers for. Tiles whose columns the launch gives have the more stages the
/// narrower they are.
int most_stages(const KernelSchedule& schedule) {
  if (!schedule.widths.empty()) return kStagesOfWidths;
  return says_cluster(schedule) ? std::max(schedule.stages, kGenericStages) : schedule.stages;
}

}  // namespace

std::vector<Signal> signals(const GemmStep& step) {
  const KernelSchedule& schedule = step.schedule;
  if (schedule.main_loop != MainLoop::warp_specialised) return signals_of_workers(step);
  // Where a launch gives clusters these are the arrivals of one block.
  const int blocks = says_cluster(schedule) ? 1 : static_cast<int>(jute::blocks(schedule.cluster));
  const auto bytes = [&](const OperandPlan& operand) {  // that no thread's arrival tells of
    return is_carried(step, operand)
               ? 0
               : size(stage_of(operand).smem) * width_bytes(staged_type(operand));
  };
  const int asked = (has_boxes(step) ? 1 : 0) + (stages_scales(step) ? kWarp : 0);
  // A stage is filled by the producers of all blocks that share it, and free again when the groups
  // of all blocks that it was sent to have read theirs.
  const int stages = most_stages(schedule);
  // A stage that threads read is read when all of their warps say so.
  const int readers = releases_by_warps(step) ? kGroupWarps : 1;
  std::vector<Signal> list{{.name = "full",
                            .copies = stages,
                            .arrivals = asked + (carries(step) ? copying_threads(step) : 0),
                            .bytes = bytes(step.a) + bytes(step.b),
                            .in_cluster = may_be_clustered(schedule),
                            .raised_by = "producer",
                            .awaited_by = "consumer"},
                           {.name = "free",
                            .copies = stages,
                            .arrivals = consumer_groups(step) * blocks * readers,
                            .in_cluster = may_be_clustered(schedule),
                            .raised_by = "consumer",
                            .awaited_by = "producer"}};
  const std::optional<SubtileDrain>& drain = step.epilogue.drain;
  if (drain && drain->c_atom)
    list.push_back({.name = "c_full",
                    .copies = drain->groups * drain->copies * schedule.ping_pong,
                    .bytes = size(drain->subtile) * width_bytes(step.epilogue.d_type),
                    .raised_by = "consumer",
                    .awaited_by = "consumer"});
  if (drain && !leaves_by_rows(*drain))
    list.push_back({.name = "stored",
                    .kind = SignalKind::bulk_group,
                    .copies = drain->copies,
                    .raised_by = "consumer",
                    .awaited_by = "consumer"});
  if (schedule.ping_pong > 1)
    list.push_back({.name = "turn",
                    .copies = schedule.ping_pong,
                    .arrivals = static_cast<int>(size(step.mma)) / kWarp,
                    .raised_by = "consumer",
                    .awaited_by = "consumer"});
  if (reduces_in_cluster(schedule))
    add_cluster_barriers(list, step);
  else if (takes_split_k(step))
    list.push_back(arrivals_of_slices(schedule, "consumer"));
  return list;
}

}  // namespace jute::plan
