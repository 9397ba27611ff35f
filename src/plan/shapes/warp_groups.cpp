// Which tiles, warps and slices of K suit a problem, by what they take.
#include "plan/shapes/warp_groups.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "plan/chip/line.hpp"
#include "plan/chip/warp.hpp"
#include "plan/choose/fastest.hpp"
#include "plan/cost/dealt_blocks.hpp"
#include "plan/cost/overlap.hpp"
#include "plan/cost/slice_cost.hpp"
#include "plan/run/parameters.hpp"
#include "plan/shapes/warp_tiles.hpp"
#include "plan/shapes/warps_of_tile.hpp"

namespace jute::plan {
namespace {
constexpr int kWarpGroupFirstArch = 90, kWarpGroupNextArch = 100;
constexpr int kWarpGroupStages = 8, kWarpGroupFewestStages = 3, kProducerWarps = 4;
constexpr int kWarpGroupMostWarps = 8, kOfWarp = 128;  // elements of D that are worth a warp
constexpr int kWarpGroupMostExtent = 256, kWarpGroupMostRegisters = 128, kWordBytes = 4,
              kAlways = 64,
              kMostAcross = 4;  // of a tile's longer side

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
constexpr int kWarpGroupManySlices = 32;
constexpr double kMostBlocks = 2;  // of an SM, where K is cut

struct WarpGroupShape {
  int m, n, k;  ///< of a tile
  int warps_m, warps_n;
  int stages;
  [[nodiscard]] int warps() const { return warps_m * warps_n; }
};

int width_of(const KernelProblem& problem) { return width_bytes(problem.a.type); }

const WarpGroupClocks& warp_group_clocks_of(const KernelProblem& problem) {
  return problem.a.type == DType::f64 ? kWarpGroupOfDoubles : kWarpGroupOfWords;
}

int warp_group_stages(int m, int n, const DeviceInfo& device) {
  return std::min(kWarpGroupStages,
                  static_cast<int>(device.smem_bytes_per_block / ((m + n) * kLine)));
}

/// Blocks that an SM holds.
double resident_warp_groups(const WarpGroupShape& shape, const DeviceInfo& device) {
  const int bytes = (shape.m + shape.n) * kLine * shape.stages;
  const int threads = kWarp * (shape.warps() + kProducerWarps);
  return std::max(1, std::min(static_cast<int>(device.smem_bytes_per_sm) / bytes,
                              device.threads_per_sm / threads));
}

Prediction predicted_warp_group(const WarpGroupShape& shape, int slices,
                                const KernelProblem& problem, const DeviceInfo& device) {
  const int width = width_of(problem);
  const WarpGroupClocks& of = warp_group_clocks_of(problem);
  const Index m = problem.m.value, n = problem.n.value, k = problem.k.value,
              batch = problem.batch.value;
  const double tiles = tiles_of({shape.m, shape.n}, m, n, batch);
  const double elements = static_cast<double>(shape.m) * shape.n, is_cut = slices > 1 ? 1 : 0;
  const double rows = static_cast<double>(shape.m) / shape.warps_m,
               columns = static_cast<double>(shape.n) / shape.warps_n;
  Prediction result;
  result.launch = of.launch;
  const auto reads = [&](const KernelMatrix& matrix, double of_one) {
    return matrix.major == Major::mn ? of_one * of.along_mn : of_one;
  };
  const double products =
      shape.warps() * (rows * reads(problem.a, of.row) + columns * reads(problem.b, of.column));
  const double feed = std::max(
      of.turn + of.turn_of_products * rows * columns / kWarp + of.turn_of_read * (rows + columns),
      of.lands / shape.stages);
  const double of_sm = deal_out(result, std::max(tiles * slices, 1.0),
                                resident_warp_groups(shape, device), products, feed, device);
  result.k_blocks = k_blocks_of(k, shape.k, slices);
  result.tile = of.tile + is_cut * of.leave;
  result.epilogue = of_sm / result.waves * (of.block + (of.stored + is_cut * of.left) * elements);
  const double of_all = issued(result), of_each = turns(result);
  const double loaded = tiles * (shape.m + shape.n) * static_cast<double>(k) * width;
  result.memory = std::max(all_bytes(m, n, k, batch, width) / kWarpGroupMemory, loaded / of.cache);
  result.work = std::max(of_all, of_each);
  const double all = together(of_all, of_each, result.memory, of.sharp);
  result.least = all - std::max(result.work, result.memory);
  result.meet = is_cut * slices * of.added * elements;
  result.clocks = result.launch + all + result.meet;
  return result;
}

/// As many warps as have work, each with the fewest rows and columns to read.
WarpGroupShape warp_group_shape(int m, int n, const KernelProblem& problem,
                                const DeviceInfo& device) {
  const auto work = static_cast<std::uint64_t>(m) * static_cast<std::uint64_t>(n) / kOfWarp;
  const int most = std::clamp(static_cast<int>(std::bit_floor(work)), 2, kWarpGroupMostWarps);
  WarpGroupShape best{m, n, kLine / width_of(problem), 1, 1, warp_group_stages(m, n, device)};
  for (int warps = most; warps > 1 && best.warps() == 1; warps /= 2)
    if (const std::optional<WarpsOfTile> ways = warps_of_tile(m, n, warps)) {
      best.warps_m = ways->m;
      best.warps_n = ways->n;
    }
  return best;
}

GroupTile warp_group_tile(const WarpGroupShape& shape) {
  return {.m = shape.m,
          .n = shape.n,
          .k_bytes = kLine,
          .atoms_m = shape.warps_m,
          .atoms_n = shape.warps_n,
          .stages = shape.stages,
          .cluster = {1, 1},
          .first_stages = FirstStages::by_initialiser};
}
WarpGroupShape warp_group_shape(const GroupTile& tile, const KernelProblem& problem,
                                const DeviceInfo& device) {
  return {
      tile.m,       tile.n,       tile.k_bytes / width_of(problem),
      tile.atoms_m, tile.atoms_n, std::min(tile.stages, warp_group_stages(tile.m, tile.n, device))};
}

/// The slices of K with which the tile takes least.
RankedTile warp_group_with_best_slices(const WarpGroupShape& shape, const KernelProblem& problem,
                                       const DeviceInfo& device) {
  RankedTile best{predicted_warp_group(shape, 1, problem, device).clocks, warp_group_tile(shape)};
  const double tiles =
      tiles_of({shape.m, shape.n}, problem.m.value, problem.n.value, problem.batch.value);
  const int most =
      std::min(kWarpGroupManySlices, slices_within_cache({shape.m, shape.n}, problem, device));
  for (int slices = 2; slices <= most && slices * tiles <= kMostBlocks * device.sm_count;
       slices += std::max(1, slices / 4)) {
    const double own = predicted_warp_group(shape, slices, problem, device).clocks;
    if (own >= best.clocks) continue;
    best.clocks = own;
    best.tile.slices = slices;
  }
  best.tile.release = release_for(best.tile.slices * tiles, device);
  return best;
}

/// Elements that a box of an operand along M or N has at least.
int box_of(const KernelMatrix& matrix) { return kLine / width_bytes(matrix.type); }

bool is_whole(const KernelMatrix& matrix, int tile) {
  return matrix.major == Major::k || tile % box_of(matrix) == 0;
}
/// Has the problem more than a smaller tile? That would have no more blocks.
bool is_filled_by_warp_group(int tile, const KernelMatrix& matrix, int unit, Index extent) {
  const int least = matrix.major == Major::k ? unit : std::max(unit, box_of(matrix));
  return tile == least || tile < 2 * std::max<Index>(extent, 1);
}

/// Calls `look` with the extents of every sensible tile.
template <class Look>
void for_extents(const KernelProblem& problem, const Look& look) {
  const auto is_long = [](int longer, int shorter) {
    return longer > std::max(kAlways, kMostAcross * shorter);
  };
  const int most =
      kWarpGroupMostWarps * kWarp * kWarpGroupMostRegisters * kWordBytes / width_of(problem);
  for (int m = kRowUnit; m <= kWarpGroupMostExtent; m *= 2)
    for (int n = kColumnUnit; n <= kWarpGroupMostExtent; n *= 2)
      if (m * n <= most && !is_long(m, n) && !is_long(n, m) && is_whole(problem.a, m) &&
          is_whole(problem.b, n) &&
          is_filled_by_warp_group(m, problem.a, kRowUnit, problem.m.value) &&
          is_filled_by_warp_group(n, problem.b, kColumnUnit, problem.n.value))
        look(m, n);
}

bool are_warp_groups_modelled(DType type) { return type == DType::tf32 || type == DType::f64; }

}  // namespace

std::vector<RankedTile> ranked_warp_groups(const KernelProblem& problem, const DeviceInfo& device,
                                           size_t most) {
  const int arch = device.arch.number;
  const bool is_across = problem.a.major == Major::mn || problem.b.major == Major::mn;
  const bool suits =
      are_warp_groups_modelled(problem.a.type) && (problem.a.type == DType::f64 || is_across);
  if (arch < kWarpGroupFirstArch || arch >= kWarpGroupNextArch || !suits ||
      !problem.products.empty())
    return {};
  std::vector<RankedTile> list;
  for_extents(problem, [&](int m, int n) {
    const WarpGroupShape shape = warp_group_shape(m, n, problem, device);
    if (shape.stages >= kWarpGroupFewestStages)
      list.push_back(warp_group_with_best_slices(shape, problem, device));
  });
  keep_first_of_fastest(list, most);
  return list;
}

std::optional<double> warp_group_clocks(const Candidate& candidate, const KernelProblem& problem,
                                        const DeviceInfo& device) {
  const auto* tile = std::get_if<GroupTile>(&candidate.tile);
  if (tile == nullptr || candidate.atom.form != MmaForm::mma ||
      !are_warp_groups_modelled(problem.a.type))
    return std::nullopt;
  const WarpGroupShape shape = warp_group_shape(*tile, problem, device);
  return predicted_warp_group(shape, tile->slices, problem, device).clocks +
         others_ahead_of_warps(problem);
}

bool is_warp_group(const GemmStep& step) {
  return step.schedule.main_loop == MainLoop::warp_specialised &&
         step.mma.atom().form == MmaForm::mma && are_warp_groups_modelled(step.a.type);
}

Prediction warp_group_prediction(const GemmStep& step, const DeviceInfo& device) {
  const KernelProblem problem = problem_of(step);
  const Layout& atoms = step.mma.atom_layout();
  const WarpGroupShape shape{step.tile.m,
                             step.tile.n,
                             step.tile.k,
                             static_cast<int>(size(atoms[0])),
                             static_cast<int>(size(atoms[1])),
                             step.schedule.stages};
  return predicted_warp_group(shape, step.schedule.slices, problem, device);
}

}  // namespace jute::plan
