// Stages, early starts and what is fetched ahead, by what is expected of a tile.
#include "plan/choose/families/tile_schedule.hpp"

#include <algorithm>

#include "plan/ask/wish_rules.hpp"
#include "plan/cost/fitted.hpp"
#include "plan/shapes/warpgroups/raster.hpp"
#include "plan/values/tile_counts.hpp"

namespace jute::plan {
namespace {

/// Blocks of slices that nobody waits for begin beside those of the kernels before: where they take
/// most of the chip, an SM has room for them as long as each has few stages.
bool begin_co_resident(const Tile& tile, const KernelProblem& problem, const Prediction& expected,
                       const DeviceInfo& device) {
  if (!expected.is_early || tile.split_k == 1 || tile.reduction != SplitK::last_adds) return false;
  const double all =
      tiles_of({tile.m, tile.n}, problem.m.value, problem.n.value, problem.batch.value);
  return tile.split_k * all > fitted::kNearlyAll * device.sm_count;
}

/// Where memory decides by far, more in flight than keeps it busy scatters what it reads.
int group_stages(const Tile& tile, const KernelProblem& problem, const Prediction& expected,
                 const DeviceInfo& device) {
  // bench/results/2026-11-21-suite.md.
  constexpr int kInFlight = 160 * 1024, kFewStages = 3;
  constexpr int kCoResident = 8;
  if (tile.co_resident > 1) return kLeastStages;  // of one k-tile, and of the next tile's
  if (begin_co_resident(tile, problem, expected, device)) return std::min(tile.stages, kCoResident);
  if (expected.memory < fitted::kByFar * expected.work) return tile.stages;
  constexpr int kPart = 4;  // that does not count of what two blocks ask for, which comes once
  const int larger = problem.m.value > problem.n.value ? tile.m : tile.n;
  const int once = expected.in_pairs ? larger / kPart : 0;
  const int rows = tile.m + tile.n - once;
  return std::clamp(kInFlight / (rows * tile.k_bytes * problem.a.terms), kFewStages, tile.stages);
}

/// Does the cache fetch what blocks read first beside the kernel ahead, and is it there by then?
/// Where memory is what takes the time, it has enough to do. Blocks beside each other begin one by
/// one, as those of that kernel end: long before the last.
bool asks_ahead(const Tile& tile, const KernelProblem& problem, bool is_early) {
  if (tile.co_resident > 1) return !is_always(problem.b.batch_stride, 0);
  const double bytes = operand_bytes(problem.m.value, problem.n.value, problem.k.value,
                                     problem.batch.value, width_bytes(problem.a.type));
  return is_early && blocks(tile.cluster) == 1 && !is_said_late(tile) && !is_copy(problem.a) &&
         !is_copy(problem.b) && fitted::kLeastAskedAhead <= bytes &&
         bytes <= fitted::kMostAskedAhead;
}

}  // namespace

Release release_for(const Prediction& expected) {
  return expected.is_early ? Release::at_start : Release::after_main_loop;
}

void set_schedule(Tile& tile, const Prediction& expected, const KernelProblem& problem,
                  const DeviceInfo& device) {
  tile.raster_width = raster_width(tile, problem, device);
  tile.release = release_for(expected);
  tile.stages = group_stages(tile, problem, expected, device);
  if (asks_ahead(tile, problem, expected.is_early)) tile.first_stages = FirstStages::prefetched;
}

}  // namespace jute::plan
