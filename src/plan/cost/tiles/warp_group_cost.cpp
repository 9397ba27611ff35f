// Blocks, k-tiles and what warps read of them, in clocks of kernels on an H200.
#include "plan/cost/tiles/warp_group_cost.hpp"

#include <algorithm>

#include "plan/chip/line.hpp"
#include "plan/chip/warp.hpp"
#include "plan/cost/dealt_blocks.hpp"
#include "plan/cost/overlap.hpp"
#include "plan/cost/tiles/warp_tile_cost.hpp"
#include "plan/values/tile_counts.hpp"

namespace jute::plan {
namespace {

constexpr int kProducerWarps = 4;
/// Clocks, fitted to times of kernels on an H200.
struct WarpGroupClocks {
  double launch;         ///< from one kernel to the next
  double block, stored;  ///< of an SM: a block, an element of D
  double row, column;    ///< likewise, for each warp and k-tile: one that it reads
  double along_mn;       ///< how much more if its operand lies along M or N
  double tile;           ///< of a block: its start and end
  double turn, turn_of_read, turn_of_products;  ///< a k-tile, what a warp reads and multiplies
  double lands;                                 ///< from asking for a k-tile until it is there
  double leave, left, added;  ///< a slice's sums in the workspace; each; each that the last adds
  double cache;               ///< bytes that come out of the L2 cache
  double sharp;               ///< the longest of several decides the more the greater it is
};

constexpr WarpGroupClocks kWarpGroupOfWords{1983,  1318, 0.322, 0.822, 0.601, 2.5,   1346, 97,
                                            0.601, 4.24, 1030,  1428,  0.185, 0.087, 6720, 1.6};

constexpr WarpGroupClocks kWarpGroupOfDoubles{2667,  1313, 0.576, 1.86, 1.67,  1.07,  579,  175,
                                              0.433, 17.2, 1946,  2739, 0.134, 0.154, 4180, 2.08};
constexpr double kWarpGroupMemory = 2500;  // bytes in a clock

const WarpGroupClocks& warp_group_clocks_of(const KernelProblem& problem) {
  return problem.a.type == DType::f64 ? kWarpGroupOfDoubles : kWarpGroupOfWords;
}

/// Blocks that an SM holds.
double resident_warp_groups(const WarpGroupWork& work, const DeviceInfo& device) {
  const int bytes = (work.m + work.n) * kLine * work.stages;
  const int threads = kWarp * (work.warps() + kProducerWarps);
  return std::max(1, std::min(static_cast<int>(device.smem_bytes_per_sm) / bytes,
                              device.threads_per_sm / threads));
}

}  // namespace

Prediction predicted(const WarpGroupWork& work, int slices, const KernelProblem& problem,
                     const DeviceInfo& device) {
  const int width = width_of(problem);
  const WarpGroupClocks& of = warp_group_clocks_of(problem);
  const Index m = problem.m.value, n = problem.n.value, k = problem.k.value,
              batch = problem.batch.value;
  const double tiles = tiles_of({work.m, work.n}, m, n, batch);
  const double elements = static_cast<double>(work.m) * work.n, is_cut = slices > 1 ? 1 : 0;
  const double rows = static_cast<double>(work.m) / work.warps_m,
               columns = static_cast<double>(work.n) / work.warps_n;
  Prediction result;
  result.launch = of.launch;
  const auto reads = [&](const KernelMatrix& matrix, double of_one) {
    return matrix.major == Major::mn ? of_one * of.along_mn : of_one;
  };
  const double products =
      work.warps() * (rows * reads(problem.a, of.row) + columns * reads(problem.b, of.column));
  const double feed = std::max(
      of.turn + of.turn_of_products * rows * columns / kWarp + of.turn_of_read * (rows + columns),
      of.lands / work.stages);
  const double of_sm = deal_out(result, std::max(tiles * slices, 1.0),
                                resident_warp_groups(work, device), products, feed, device);
  result.k_blocks = k_blocks_of(k, work.k, slices);
  result.tile = of.tile + is_cut * of.leave;
  result.epilogue = of_sm / result.waves * (of.block + (of.stored + is_cut * of.left) * elements);
  const double of_all = issued(result), of_each = turns(result);
  const double loaded = tiles * (work.m + work.n) * static_cast<double>(k) * width;
  result.memory = std::max(all_bytes(m, n, k, batch, width) / kWarpGroupMemory, loaded / of.cache);
  result.work = std::max(of_all, of_each);
  const double all = together(of_all, of_each, result.memory, of.sharp);
  result.least = all - std::max(result.work, result.memory);
  result.meet = is_cut * slices * of.added * elements;
  result.clocks = result.launch + all + result.meet;
  return result;
}

std::optional<double> warp_group_clocks(const Candidate& candidate, const KernelProblem& problem,
                                        const DeviceInfo& device) {
  const auto* tile = std::get_if<GroupTile>(&candidate.tile);
  if (tile == nullptr || candidate.atom.form != MmaForm::mma ||
      !are_types_of_warp_groups(problem.a.type))
    return std::nullopt;
  const WarpGroupWork work = warp_group_work(*tile, problem, device);
  return predicted(work, tile->slices, problem, device).clocks + others_ahead_of_warps(problem);
}

}  // namespace jute::plan
