// Shares a block's shared memory out among stages, subtiles and vectors.
#include "plan/derive/block/smem_fit.hpp"

#include <jute/base/checked.hpp>
#include <jute/layout/address.hpp>
#include <jute/plan/ask/epilogue.hpp>
#include <jute/plan/values/carried_stages.hpp>
#include <jute/plan/values/stored_stages.hpp>
#include <jute/plan/values/tile_width.hpp>

#include <algorithm>
#include <optional>

#include "plan/ask/wish_rules.hpp"
#include "plan/derive/block/co_resident_room.hpp"
#include "plan/derive/block/signals.hpp"
#include "plan/derive/block/smem_map.hpp"
#include "plan/derive/drain/staged_vectors.hpp"
#include "plan/shapes/warpgroups/room.hpp"
#include "plan/values/tile_width.hpp"

namespace jute::plan {
namespace {

Index stage_bytes(const GemmStep& step) {
  const Index bytes = stage_of(step.a).stage_stride_elems * width_bytes(staged_type(step.a)) +
                      stage_of(step.b).stage_stride_elems * width_bytes(staged_type(step.b));
  return std::max<Index>(bytes, 1);
}

constexpr Index kEnoughBytes = 150 * 1024;  // of stages, which hide what memory takes to answer

/// How many stages of both operands are as many. More are worth a second subtile where teams take
/// turns: what one waits for in its drain lies under the other's products.
Index enough_stages(const GemmStep& step) {
  constexpr Index kEnoughOfTeams = 160 * 1024;
  const Index enough = step.schedule.ping_pong > 1 ? kEnoughOfTeams : kEnoughBytes;
  return ceil_div(enough, stage_bytes(step));
}

/// Places what follows from the number of stages and subtiles.
void place(GemmStep& step) {
  step.signals = signals(step);
  step.smem_map = smem_map(step);
  step.dynamic_smem_bytes = smem_held(step);
}

/// Fewer stages, down to those that memory's latency asks for, then vectors that threads read where
/// they lie, then one subtile a group instead of two, then fewer stages still, until a block's
/// shared memory holds them.
void fit(GemmStep& step, int most_smem, bool stages_are_given) {
  const auto enough = static_cast<int>(enough_stages(step));
  const auto fits = [&] { return step.dynamic_smem_bytes <= most_smem; };
  // Where that is enough.
  const auto do_without_vectors = [&] {
    if (fits() || vector_bytes(step) == 0) return;
    GemmStep without = step;
    unstage_vectors(without);
    place(without);
    if (without.dynamic_smem_bytes <= most_smem) step = std::move(without);
  };
  const auto take_stages_down_to = [&](int least) {
    while (!stages_are_given && !fits() && step.schedule.stages > least) {
      --step.schedule.stages;
      place(step);
    }
  };
  take_stages_down_to(std::max(enough, kLeastStages));
  do_without_vectors();
  if (!fits() && step.epilogue.drain && step.epilogue.drain->copies > 1) {
    step.epilogue.drain->copies = 1;
    place(step);
  }
  do_without_vectors();
  take_stages_down_to(kLeastStages);
}

/// Does a block with a next tile wait for its stores of this one? Those of a team lie under the
/// other's products, and are less in the way of loads one by one; not where products are few.
bool waits_for_stores(const GemmStep& step) {
  constexpr Index kFewTiles = 2;  // along K
  const std::optional<SubtileDrain>& drain = step.epilogue.drain;
  return drain && !leaves_by_rows(*drain) && walks(step.schedule) && !has_widths(step) &&
         (step.schedule.ping_pong == 1 ||
          (step.k.baked && step.k.value <= kFewTiles * step.tile.k));
}

/// As many subtiles as lie beside the stages, for no turn to wait until TMA has read another's.
/// Turns take them one after the other, in each tile again: only if that comes out even.
void take_subtiles(GemmStep& step, int most_smem) {
  const int turns = step.epilogue.drain->turns, least = step.epilogue.drain->copies;
  for (int copies = turns; copies >= least; --copies) {
    if (turns % copies != 0) continue;
    step.epilogue.drain->copies = copies;
    place(step);
    if (step.dynamic_smem_bytes <= most_smem) return;
  }
}

/// Everything that lands while a tile is multiplied has a subtile for every turn, beside enough
/// stages: no turn waits then. Nothing where these do not fit.
std::optional<GemmStep> with_subtiles_for_all(GemmStep step, int most_smem, bool stages_are_given) {
  const Index enough = enough_stages(step);
  step.epilogue.drain->copies = step.epilogue.drain->turns;
  step.epilogue.drain->apart = !walks(step.schedule);
  for (place(step); step.dynamic_smem_bytes > most_smem; place(step)) {
    if (stages_are_given || step.schedule.stages <= enough) return std::nullopt;
    --step.schedule.stages;
  }
  return step;
}

}  // namespace

Index room_of_subtiles(const GemmStep& step, int most_smem) {
  constexpr Index kBarriers = 1024, kFewStages = 3;
  if (!walks(step.schedule)) return most_smem;  // they lie where its stages were
  const Index k_tiles = ceil_div(step.k.value, Index{step.tile.k});
  const Index stages =
      std::min(ceil_div(kEnoughBytes, stage_bytes(step)), std::max(k_tiles, kFewStages));
  return std::max<Index>(most_smem - kBarriers - stages * stage_bytes(step), 0);
}

int smem_for(const GemmStep& step, const KernelProblem& problem, const DeviceInfo& device) {
  constexpr int kRoom = 24 * 1024;
  if (step.schedule.blocks_per_sm > 1) return static_cast<int>(half_of_sm(device));
  const bool leaves_room = step.schedule.releases == Release::at_start &&
                           !step.schedule.is_generic && (is_copy(problem.a) || is_copy(problem.b));
  return device.smem_bytes_per_block - (leaves_room ? kRoom : 0);
}

int turns_by_ring(const GemmStep& step) {
  const EpiloguePlan& out = step.epilogue;
  const std::optional<SubtileDrain>& drain = out.drain;
  const bool is_whole =
      drain && (drain->input || c_read(out.expression, out.beta) == CRead::always);
  const bool lands = drain && !leaves_by_rows(*drain) && drain->c_atom && is_whole;
  const bool has_stages = lands && (walks(step.schedule) || drain->apart);  // while it drains
  const bool has_split_k = step.schedule.split_k > 1;  // whose last block alone would read it
  // A team's wait lies under the other's products.
  if (!has_stages || carries(step) || has_split_k || step.schedule.ping_pong > 1 ||
      !step.products.empty())
    return 0;
  const int width = width_bytes(out.d_type), width_b = width_bytes(step.b.type);
  const int turns = drain->turns - drain->copies;
  const bool is_aligned = swizzle_span(drain->subtile.swizzle()) * width <=
                          swizzle_span(stage_of(step.b).smem.swizzle()) * width_b;
  const bool fits = turns * drain->groups * drain->stride_elems * width <=
                    stage_of(step.b).stage_stride_elems * width_b;
  return turns > 0 && is_aligned && fits ? turns : 0;
}
namespace {

/// Stages and copies of subtiles.
void fit_copies(GemmStep& step, int most_smem, bool stages_are_given) {
  std::optional<SubtileDrain>& drain = step.epilogue.drain;
  const bool lands = drain && drain->input && step.schedule.split_k == 1;
  if (lands)
    if (auto all = with_subtiles_for_all(step, most_smem, stages_are_given)) {
      step = *std::move(all);
      return;
    }
  if (lands && !walks(step.schedule)) {
    GemmStep apart = step;
    apart.epilogue.drain->apart = true;
    place(apart);
    fit(apart, most_smem, stages_are_given);
    if (apart.dynamic_smem_bytes <= most_smem && apart.epilogue.drain->copies == drain->copies) {
      step = std::move(apart);
      return;
    }
  }
  if (drain && !walks(step.schedule)) drain->copies = drain->turns;
  place(step);
  fit(step, most_smem, stages_are_given);
  if (waits_for_stores(step)) take_subtiles(step, most_smem);
}

/// Keeps no more stages than a tile has k-tiles, where a launch gives a block one tile: a block
/// that asks for less leaves the next kernel's room to begin beside it.
void leave_out_stages(GemmStep& step) {
  const Index all = ceil_div(step.k.value, Index{step.tile.k});
  const Index k_tiles = std::max<Index>(ceil_div(all, Index{step.schedule.split_k}), kLeastStages);
  if (k_tiles < step.schedule.stages) step.schedule.stages = static_cast<int>(k_tiles);
  place(step);
}

}  // namespace

void fit_subtiles(GemmStep& step, int most_smem, bool stages_are_given) {
  fit_copies(step, most_smem, stages_are_given);
  if (says_cluster(step.schedule) && !stages_are_given && has_own_tiles(step))
    leave_out_stages(step);
  if (step.epilogue.drain) step.epilogue.drain->by_ring = turns_by_ring(step);
}

void widen_ring(GemmStep& step, int most_smem) {
  const Index more = (most_smem - step.dynamic_smem_bytes) / kRingUnit * kRingUnit;
  if (more <= 0) return;
  const Index end = smem_region(step, "b").offset + smem_region(step, "b").bytes;
  for (SmemRegion& region : step.smem_map) {
    if (region.name == "b") region.bytes += more;
    if (region.offset >= end) region.offset += more;
  }
  step.dynamic_smem_bytes += more;
}

}  // namespace jute::plan
