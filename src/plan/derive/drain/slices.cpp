// Sizes and judges what blocks leave for each other in the workspace.
#include "plan/derive/drain/slices.hpp"

#include <jute/layout/layout.hpp>
#include <jute/plan/values/shares.hpp>
#include <jute/plan/values/tile_width.hpp>

#include <algorithm>
#include <numeric>

#include "base/format.hpp"
#include "plan/chip/warp.hpp"
#include "plan/derive/drain/gathers.hpp"
#include "plan/values/block_threads.hpp"
#include "plan/values/step_grid.hpp"
#include "plan/values/tile_counts.hpp"
#include "plan/values/workspace.hpp"

namespace jute::plan {
namespace {

constexpr int kMostSplitK = 256;
constexpr Index kPieceBytes = 16;
Count whole_units(const Count& bytes) { return round_up(bytes, kRegionUnit); }

}  // namespace

Count tiles_behind_whole(const GemmStep& step) {
  const Count whole(step.schedule.whole_tiles);
  return step.schedule.whole_tiles > 0 ? tiles(step) - min(tiles(step), whole) : tiles(step);
}

std::array<Count, 3> cut_tail_grid(const GemmStep& step) {
  const Count whole = min(tiles(step), Count(step.schedule.whole_tiles));
  return {whole + tiles_behind_whole(step) * Count(step.schedule.split_k), 1, 1};
}

Index wished_whole_tiles(const Config& config, Index usual) {
  if (config.whole_tiles) return *config.whole_tiles;
  return config.split_k || config.tile || config.blocks || config.ping_pong ? 0 : usual;
}

std::vector<WorkspaceRegion> slice_regions(const GemmStep& step) {
  const int split_k = step.schedule.split_k;
  if (!takes_split_k(step) || reduces_in_cluster(step.schedule)) return {};
  const Index tile_bytes = Index{step.tile.m} * step.tile.n * width_bytes(step.accumulate);
  // A launch that may cut tiles has no more slices of them than blocks that run together.
  const Count together(step.schedule.persistent_blocks);
  const Count cut = step.schedule.split_k_at_run_time ? together
                    : split_k > 1                     ? tiles_behind_whole(step)
                                                      : Count(0);  // that have more slices than one
  return {{"arrived", whole_units(cut * kCounterBytes), true},
          {"parts", whole_units(cut * (split_k * tile_bytes)), false}};
}
namespace {

/// Accumulators of a thread, for the tile of its block.
Index accumulators(const GemmStep& step) {
  return Index{step.tile.m} * step.tile.n / std::max<Index>(size(step.mma), 1);
}

Errors cluster_reduction_rules(const GemmStep& step) {
  Errors errors;
  const auto refuse = [&](std::string rule) {
    errors.push_back(broken("reduction", "distributed", std::move(rule), "last_adds"));
  };
  const int split_k = step.schedule.split_k;
  if (split_k < 2 || split_k > kMostClusterBlocks)
    refuse(base::format("a cluster must be of 2 to {} slices of K, not {}", kMostClusterBlocks,
                        split_k));
  if (blocks(step.schedule.cluster) > 1)
    refuse("slices need the cluster for themselves: blocks must not share what they load");
  if (accumulators(step) * width_bytes(step.accumulate) % kPieceBytes != 0)
    refuse(
        base::format("sums cross the cluster by pieces of {} bytes: those of a thread must be "
                     "whole ones, not {}",
                     kPieceBytes, accumulators(step) * width_bytes(step.accumulate)));
  return errors;
}

Errors reduction_rules(const GemmStep& step, const DeviceInfo& device) {
  Errors errors;
  const bool all_add = step.schedule.reduction == SplitK::all_add;
  if ((step.residency == Residency::whole_grid) != all_add)
    errors.push_back(broken("residency", all_add ? "any" : "whole_grid",
                            "blocks that wait for each other, and no others, must run together",
                            all_add ? "whole_grid" : "any"));
  if (step.schedule.reduction == SplitK::distributed) return cluster_reduction_rules(step);
  if (!all_add) return errors;
  const auto refuse = [&](std::string rule) {
    errors.push_back(broken("reduction", "all_add", std::move(rule), "last_adds"));
  };
  if (step.schedule.split_k <= 1) refuse("slices must be at least 2 to add what each has");
  if (step.epilogue.drain || step.epilogue.d_order != Order::row)
    refuse(
        "every block stores a part of D as it lies: that must be along the kernel's N, and "
        "without subtiles");
  if (gathers(step.epilogue) || packs_bits(step.epilogue))
    refuse("what an epilogue gathers or packs needs whole tiles");
  const double blocks =
      blocks_of(step.tile, step.schedule.cluster, step.m.value, step.n.value, step.batch.value) *
      step.schedule.split_k;
  const Index most = blocks_at_once(step.schedule.cluster, device);
  if (blocks > static_cast<double>(most))
    refuse(
        base::format("blocks that wait for each other must run together: {:.0f} of them do not "
                     "on {} multiprocessors, which run {} of clusters of {} at a time",
                     blocks, device.sm_count, most, jute::blocks(step.schedule.cluster)));
  return errors;
}

/// Has each tile or slice a block of its own, which nobody needs to find beside others?
bool has_row_of_blocks(const GemmStep& step) {
  const KernelSchedule& schedule = step.schedule;
  if (step.groups) return false;
  return is_copied_by_threads(schedule.main_loop) ||
         (schedule.main_loop == MainLoop::warp_specialised && !walks(schedule) &&
          !schedule.is_generic && !has_widths(step) && blocks(schedule.cluster) == 1 &&
          schedule.reduction == SplitK::last_adds);
}

void whole_tile_rules(Errors& errors, const GemmStep& step) {
  const KernelSchedule& schedule = step.schedule;
  const auto refuse = [&](std::string rule) {
    errors.push_back(
        broken("whole_tiles", std::to_string(schedule.whole_tiles), std::move(rule), "0"));
  };
  if (schedule.whole_tiles < 0)
    refuse("tiles that slices leave whole must be counted from 0");
  else if (schedule.whole_tiles > 0 && schedule.split_k <= 1)
    refuse("tiles that slices leave whole need slices: at least 2 of them");
  else if (schedule.whole_tiles > 0 && !has_row_of_blocks(step))
    refuse(
        "tiles that slices leave whole must be those of a grid of one block a tile or slice, "
        "without groups, clusters or sums that all blocks add");
}

}  // namespace

Errors slice_rules(const GemmStep& step, const DeviceInfo& device) {
  Errors errors = reduction_rules(step, device);
  const KernelSchedule& schedule = step.schedule;
  const auto refuse = [&](std::string rule, int nearest) {
    errors.push_back(broken("split_k", std::to_string(schedule.split_k), std::move(rule),
                            std::to_string(nearest)));
  };
  if (schedule.split_k < 1 || schedule.split_k > kMostSplitK)
    refuse(base::format("slices must be from 1 to {}", kMostSplitK),
           std::clamp(schedule.split_k, 1, kMostSplitK));
  whole_tile_rules(errors, step);
  if (schedule.split_k <= 1 || !errors.empty()) return errors;
  if (is_straight(step)) refuse("slices need a main loop with tiles in shared memory", 1);
  if (schedule.main_loop != MainLoop::warp_specialised) {
    if (schedule.reduction != SplitK::last_adds)
      refuse("where no producer loads, the last block of a tile must add the sums of its slices",
             1);
    if (lanes_of_k(step) != 0 || draining_threads(step) % kWarp != 0)
      refuse("sums of slices must be left by whole warps, whose lanes do not share out K", 1);
  }
  if (walks(schedule) && !says_split_k(schedule))
    refuse("a block must have one slice of one tile: blocks must be 0", 1);
  if (!adds_as_one(step.accumulate))
    refuse(base::format("sums of slices are added as f32, f64 or s32: accumulators must not be {}",
                        name(step.accumulate)),
           1);
  return errors;
}

}  // namespace jute::plan

namespace jute {

bool takes_split_k(const GemmStep& step) {
  const KernelSchedule& schedule = step.schedule;
  const bool may_be_cut = says_split_k(schedule) && walks(schedule) && schedule.ping_pong == 1 &&
                          plan::adds_as_one(step.accumulate);
  return schedule.split_k > 1 || may_be_cut;
}

int shares(const GemmStep& step) {
  const EpiloguePlan& out = step.epilogue;
  if (!reduces_in_cluster(step.schedule) || plan::gathers(out) || plan::packs_bits(out)) return 1;
  const Index all = plan::accumulators(step);
  const Index piece = plan::kPieceBytes / width_bytes(step.accumulate);
  const Index units =
      out.drain ? out.drain->turns : all / std::lcm(piece, Index{std::max(out.vector_elems, 1)});
  int count = step.schedule.split_k;
  while (count > 1 && units % count != 0) --count;
  return units > 0 ? count : 1;
}

Index sums_in_an_access(const GemmStep& step, Index accumulators) {
  return std::gcd(accumulators, plan::kPieceBytes / width_bytes(step.accumulate));
}

bool first_is_nearest(const GemmStep& step) {
  const Layout &m = step.epilogue.m.value, &n = step.epilogue.n.value;
  const Index elems = sums_in_an_access(step, size(m));
  for (Index i = 0; i < size(m); ++i)
    if (const Index first = i - i % elems; m(i) < m(first) || n(i) < n(first)) return false;
  return true;
}

bool may_be_ragged(const GemmStep& step) {
  const int elems = step.epilogue.vector_elems;
  return elems > 1 && !is_multiple(step.n, elems);
}

}  // namespace jute
