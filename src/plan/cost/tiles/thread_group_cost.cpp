// K-tiles of which the slowest of several decides, in clocks of f32 kernels on an H200.
#include "plan/cost/tiles/thread_group_cost.hpp"

#include <algorithm>
#include <cmath>

#include "plan/chip/warp.hpp"
#include "plan/cost/overlap.hpp"
#include "plan/shapes/thread_tiling.hpp"
#include "plan/values/tile_counts.hpp"

namespace jute::plan {
namespace {

// Clocks on the scale of the other kernels' model, fitted to times of f32 kernels on an H200: from
// one kernel to the next, sooner where all blocks run together; a tile however long K is; an
// element of D that it stores.
constexpr double kGroupLaunch = 2231, kSooner = 696, kGroupTile = 671, kGroupStored = 0.219;

// A k-tile, of which the slowest decides: to be there, a multiply-add of each thread of an SM, to
// read a row or column of shared memory in each warp for each k.
constexpr double kThere = 487, kGroupMultiplyAdd = 1.325, kGroupRead = 0.591, kSharp = 2.73;
constexpr double kThreadGroupLanes = 128;  // that multiply at once

// A slice's sums left in the workspace, and each of them; those of a slice added by the last one.
constexpr double kLeave = 2091, kLeft = 0.137, kGroupAdded = 0.06;
constexpr double kGroupMemory = 1608;  // bytes in a clock

}  // namespace

Prediction whole_thread_group(const ThreadGroupWork& work, const KernelProblem& problem) {
  const double elements = static_cast<double>(work.m) * work.n;
  Prediction result;
  result.products = elements * work.k * kGroupMultiplyAdd / kThreadGroupLanes;
  result.feed = work.warps * (work.rows + work.columns) * work.k * kGroupRead;
  result.k_block = together(kThere, result.products, result.feed, kSharp);
  result.tile = kGroupTile;
  result.memory = all_bytes(problem.m.value, problem.n.value, problem.k.value, problem.batch.value,
                            width_bytes(problem.a.type)) /
                  kGroupMemory;
  return result;
}

Prediction with_slices(Prediction result, const ThreadGroupWork& work, int slices,
                       const KernelProblem& problem, const DeviceInfo& device) {
  const double tiles =
      tiles_of({work.m, work.n}, problem.m.value, problem.n.value, problem.batch.value);
  const double elements = static_cast<double>(work.m) * work.n;
  const bool is_cut = slices > 1;
  const Index of_slice = ceil_div(std::max<Index>(problem.k.value, 1), Index{slices});
  result.waves = result.ends = std::ceil(tiles * slices / std::max(device.sm_count, 1));
  result.launch = kGroupLaunch - (result.waves <= 1 ? kSooner : 0);
  result.k_blocks = static_cast<double>(ceil_div(of_slice, Index{work.k}));
  result.epilogue = kGroupStored * elements + (is_cut ? kLeave + kLeft * elements : 0);
  result.work = result.waves * (result.k_blocks * result.k_block + result.tile + result.epilogue);
  result.meet = is_cut ? slices * kGroupAdded * elements : 0;
  result.clocks = result.launch + std::max(result.work, result.memory) + result.meet;
  return result;
}

}  // namespace jute::plan
