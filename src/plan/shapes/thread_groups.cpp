// Which tiles and slices of K suit a problem, by what they take.
#include "plan/shapes/thread_groups.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "plan/chip/line.hpp"
#include "plan/chip/warp.hpp"
#include "plan/choose/fastest.hpp"
#include "plan/cost/overlap.hpp"
#include "plan/cost/slice_cost.hpp"
#include "plan/run/parameters.hpp"
#include "plan/shapes/thread_tiling.hpp"

namespace jute::plan {
namespace {

constexpr int kThreadGroupFirstArch = 90, kThreadGroupNextArch = 100;
constexpr int kThreadGroupStages = 6, kThreadGroupFewestStages = 3;
constexpr int kThreadGroupWarps = 8, kThreadsM = 4, kThreadsN = 8;  // of consumers; of a warp
constexpr int kMostGroupExtent = 128, kLeastExtent = 16;
constexpr Index kThreadGroupLeastElements = 16 * 64;  // of a tile

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
constexpr int kThreadGroupManySlices = 128;
// The model was fitted to small problems. Of one that takes so long it expects so much too much.
constexpr double kLong = 2e5, kThreadGroupTooMuch = 0.07;

struct ThreadGroupShape {
  int m, n, k;        ///< of a tile
  int rows, columns;  ///< of D that a thread holds
  int warps;
};

/// What does not depend on how K is cut: k-tiles, and who computes them.
Prediction of_tile(const ThreadGroupShape& shape, const KernelProblem& problem) {
  const double elements = static_cast<double>(shape.m) * shape.n;
  Prediction result;
  result.products = elements * shape.k * kGroupMultiplyAdd / kThreadGroupLanes;
  result.feed = shape.warps * (shape.rows + shape.columns) * shape.k * kGroupRead;
  result.k_block = together(kThere, result.products, result.feed, kSharp);
  result.tile = kGroupTile;
  result.memory = all_bytes(problem.m.value, problem.n.value, problem.k.value, problem.batch.value,
                            width_bytes(problem.a.type)) /
                  kGroupMemory;
  return result;
}

Prediction with_slices(Prediction result, const ThreadGroupShape& shape, int slices,
                       const KernelProblem& problem, const DeviceInfo& device) {
  const double tiles =
      tiles_of({shape.m, shape.n}, problem.m.value, problem.n.value, problem.batch.value);
  const double elements = static_cast<double>(shape.m) * shape.n;
  const bool is_cut = slices > 1;
  const Index of_slice = ceil_div(std::max<Index>(problem.k.value, 1), Index{slices});
  result.waves = result.ends = std::ceil(tiles * slices / std::max(device.sm_count, 1));
  result.launch = kGroupLaunch - (result.waves <= 1 ? kSooner : 0);
  result.k_blocks = static_cast<double>(ceil_div(of_slice, Index{shape.k}));
  result.epilogue = kGroupStored * elements + (is_cut ? kLeave + kLeft * elements : 0);
  result.work = result.waves * (result.k_blocks * result.k_block + result.tile + result.epilogue);
  result.meet = is_cut ? slices * kGroupAdded * elements : 0;
  result.clocks = result.launch + std::max(result.work, result.memory) + result.meet;
  return result;
}

/// Warps along M and N with which each thread has the fewest rows and columns to read.
struct ThreadGroupWarps {
  int m, n;
};
ThreadGroupWarps warps_for(int m, int n) {
  constexpr std::array kWays{ThreadGroupWarps{4, 2}, ThreadGroupWarps{2, 4}, ThreadGroupWarps{8, 1},
                             ThreadGroupWarps{1, 8}};
  const auto reads = [&](const ThreadGroupWarps& warps) {
    const int across_m = kThreadsM * warps.m, across_n = kThreadsN * warps.n;
    const bool is_whole = m % across_m == 0 && n % across_n == 0;
    return is_whole ? m / across_m + n / across_n : kMostGroupExtent * 2;
  };
  return *std::ranges::min_element(kWays, {}, reads);
}

ThreadGroupShape thread_group_shape(const GroupTile& tile, const KernelProblem& problem) {
  return {.m = tile.m,
          .n = tile.n,
          .k = tile.k_bytes / width_bytes(problem.a.type),
          .rows = tile.m / (kThreadsM * tile.atoms_m),
          .columns = tile.n / (kThreadsN * tile.atoms_n),
          .warps = kThreadGroupWarps};
}

GroupTile thread_group_tile(int m, int n) {
  const ThreadGroupWarps warps = warps_for(m, n);
  return {.m = m,
          .n = n,
          .k_bytes = kLine,
          .atoms_m = warps.m,
          .atoms_n = warps.n,
          .stages = kThreadGroupStages,
          .cluster = {1, 1},
          .first_stages = FirstStages::by_initialiser};
}

/// The slices of K with which the tile takes least; a few more must be worth their sums.
RankedTile thread_group_with_best_slices(const GroupTile& tile, const KernelProblem& problem,
                                         const DeviceInfo& device) {
  constexpr double kWorthIt = 0.97;
  const ThreadGroupShape shape = thread_group_shape(tile, problem);
  const Prediction whole = of_tile(shape, problem);
  RankedTile best{with_slices(whole, shape, 1, problem, device).clocks, tile};
  if (problem.accumulate != DType::f32) return best;
  const int most =
      std::min(kThreadGroupManySlices, slices_within_cache({shape.m, shape.n}, problem, device));
  double least = kWorthIt * best.clocks;
  for (int slices = 2; slices <= most; ++slices) {
    const double own = with_slices(whole, shape, slices, problem, device).clocks;
    if (own >= least) continue;
    least = best.clocks = own;
    best.tile.slices = slices;
  }
  return best;
}

RankedTile ranked(int m, int n, const KernelProblem& problem, const DeviceInfo& device) {
  RankedTile ranked = thread_group_with_best_slices(thread_group_tile(m, n), problem, device);
  const double tiles = tiles_of({m, n}, problem.m.value, problem.n.value, problem.batch.value);
  ranked.tile.release = release_for(ranked.tile.slices * tiles, device);
  ranked.clocks *= 1 - kThreadGroupTooMuch * std::min(ranked.clocks / kLong, 1.0);
  return ranked;
}

}  // namespace

std::vector<RankedTile> ranked_thread_groups(const KernelProblem& problem, const DeviceInfo& device,
                                             size_t most, const std::optional<TileShape>& tile) {
  const int arch = device.arch.number;
  if (arch < kThreadGroupFirstArch || arch >= kThreadGroupNextArch) return {};
  if (tile) return {ranked(tile->m, tile->n, problem, device)};
  // A smaller tile, if there is one, has no more blocks.
  const auto is_too_wide = [](int extent, int other, Index own) {
    return extent > kLeastExtent && Index{extent} * other > kThreadGroupLeastElements &&
           extent >= 2 * std::max<Index>(own, 1);
  };
  std::vector<RankedTile> list;
  // Of two that are expected to take as long, the one that stores longer rows of D.
  for (int n = kMostGroupExtent; n >= kLeastExtent; n /= 2)
    for (int m = kLeastExtent; m <= kMostGroupExtent; m *= 2)
      if (Index{m} * n >= kThreadGroupLeastElements && !is_too_wide(m, n, problem.m.value) &&
          !is_too_wide(n, m, problem.n.value) &&
          kThreadGroupFewestStages * (m + n) * kLine <= device.smem_bytes_per_block)
        list.push_back(ranked(m, n, problem, device));
  keep_first_of_fastest(list, most);
  return list;
}

Prediction thread_group_prediction(const GemmStep& step, const DeviceInfo& device) {
  const KernelProblem problem = problem_of(step);
  const ThreadGroupShape shape{.m = step.tile.m,
                               .n = step.tile.n,
                               .k = step.tile.k,
                               .rows = held_by_thread(step, 0),
                               .columns = held_by_thread(step, 1),
                               .warps = static_cast<int>(size(step.mma)) / kWarp};
  return with_slices(of_tile(shape, problem), shape, step.schedule.slices, problem, device);
}

}  // namespace jute::plan
