// Which tiles, warps and slices of K suit a problem, by what they take.
#include "plan/warp_groups.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "plan/line.hpp"
#include "plan/parameters.hpp"
#include "plan/warp.hpp"

namespace jute::plan {
namespace {
/// What other models have names for as well.
namespace of_warps {

constexpr int kFirstArch = 90, kNextArch = 100;
constexpr int kWidth = 4;                      // bytes of an operand's elements
constexpr int kRowUnit = 16, kColumnUnit = 8;  // of an instruction
constexpr int kStages = 8, kFewestStages = 3, kProducerWarps = 4;
constexpr int kMostWarps = 8, kOfWarp = 128;  // elements of D that are worth a warp
constexpr int kMostExtent = 256, kMostElements = 128 * 256, kAlways = 64,
              kMostAcross = 4;  // of a tile's longer side

// Clocks fitted to times of tf32 kernels on an H200. From one kernel to the next, 1983 and what the
// other kernels' models expect too much; of an SM, a block and an element of D that it stores.
constexpr double kLaunch = 5483, kBlock = 1318, kStored = 0.322;
// Of an SM, for each warp and k-tile: a row and a column that it reads, and how much more of those
// that lie along M or N, an element at a time.
constexpr double kRow = 0.822, kColumn = 0.601, kAlongMn = 2.5;
// Of a block: its start and end; a k-tile, and of that what a warp reads and multiplies.
constexpr double kTile = 1346, kTurn = 97, kTurnOfRead = 0.601, kTurnOfProducts = 4.24;
constexpr double kLands = 1030;  // from asking for a k-tile until it has landed
// A slice's sums left in the workspace, and each of them; those of a slice added by the last one.
constexpr double kLeave = 1428, kLeft = 0.185, kAdded = 0.087;
constexpr double kMemory = 2500, kCache = 6720;  // bytes in a clock: of memory, of the L2 cache
constexpr double kSharp = 1.6;                   // the longest decides most
constexpr int kManySlices = 32;
constexpr Index kLeastOfSlice = 64;  // of K
constexpr double kMostBlocks = 2;    // of an SM, where K is cut
constexpr double kMostSums = 1.25;   // of the cache: beyond, memory moves all of them twice

struct GroupShape {
  int m, n, k;  ///< of a tile
  int warps_m, warps_n;
  int stages;
  [[nodiscard]] int warps() const { return warps_m * warps_n; }
};

int stages_for(int m, int n, const DeviceInfo& device) {
  return std::min(kStages, static_cast<int>(device.smem_bytes_per_block / ((m + n) * kLine)));
}

/// Blocks that an SM holds.
double resident(const GroupShape& shape, const DeviceInfo& device) {
  const int bytes = (shape.m + shape.n) * kLine * shape.stages;
  const int threads = kWarp * (shape.warps() + kProducerWarps);
  return std::max(1, std::min(static_cast<int>(device.smem_bytes_per_sm) / bytes,
                              device.threads_per_sm / threads));
}

Prediction predicted(const GroupShape& shape, int slices, const KernelProblem& problem,
                     const DeviceInfo& device) {
  const Index m = problem.m.value, n = problem.n.value, k = problem.k.value,
              batch = problem.batch.value;
  const double tiles = tiles_of({shape.m, shape.n}, m, n, batch);
  const double of_sm = std::ceil(std::max(tiles * slices, 1.0) / std::max(device.sm_count, 1));
  const double elements = static_cast<double>(shape.m) * shape.n, is_cut = slices > 1 ? 1 : 0;
  const double rows = static_cast<double>(shape.m) / shape.warps_m,
               columns = static_cast<double>(shape.n) / shape.warps_n;
  Prediction result;
  result.launch = kLaunch;
  result.waves = std::ceil(of_sm / std::min(resident(shape, device), of_sm));
  result.k_blocks =
      static_cast<double>(ceil_div(ceil_div(std::max<Index>(k, 1), Index{shape.k}), Index{slices}));
  const auto reads = [](const KernelMatrix& matrix, double of_one) {
    return matrix.major == Major::mn ? of_one * kAlongMn : of_one;
  };
  result.products = of_sm / result.waves * shape.warps() *
                    (rows * reads(problem.a, kRow) + columns * reads(problem.b, kColumn));
  result.feed =
      std::max(kTurn + kTurnOfProducts * rows * columns / kWarp + kTurnOfRead * (rows + columns),
               kLands / shape.stages);
  result.k_block = std::max(result.products, result.feed);
  result.tile = kTile + is_cut * kLeave;
  result.ends = result.waves;
  result.epilogue = of_sm / result.waves * (kBlock + (kStored + is_cut * kLeft) * elements);
  const double issued = result.waves * (result.k_blocks * result.products + result.epilogue);
  const double turns = result.waves * (result.k_blocks * result.feed + result.tile);
  const double moved = operand_bytes(m, n, k, batch, kWidth) + kWidth * static_cast<double>(m) *
                                                                   static_cast<double>(n) *
                                                                   static_cast<double>(batch);
  const double loaded = tiles * (shape.m + shape.n) * static_cast<double>(k) * kWidth;
  result.memory = std::max(moved / kMemory, loaded / kCache);
  result.work = std::max(issued, turns);
  const double together =
      std::pow(std::pow(issued, kSharp) + std::pow(turns, kSharp) + std::pow(result.memory, kSharp),
               1 / kSharp);
  result.least = together - std::max(result.work, result.memory);
  result.meet = is_cut * slices * kAdded * elements;
  result.clocks = result.launch + together + result.meet;
  return result;
}

/// As many warps as have work, each with the fewest rows and columns to read.
GroupShape shape_of(int m, int n, const DeviceInfo& device) {
  const auto work = static_cast<std::uint64_t>(m) * static_cast<std::uint64_t>(n) / kOfWarp;
  const int most = std::clamp(static_cast<int>(std::bit_floor(work)), 2, kMostWarps);
  GroupShape best{m, n, kLine / kWidth, 1, 1, stages_for(m, n, device)};
  int least = kMostExtent * 2;
  for (int warps = most; warps >= 1 && best.warps() == 1; warps /= 2)
    for (int warps_m = warps; warps_m >= 1; warps_m /= 2) {
      const int warps_n = warps / warps_m, reads = m / warps_m + n / warps_n;
      if (m % (kRowUnit * warps_m) != 0 || n % (kColumnUnit * warps_n) != 0 || reads >= least)
        continue;
      least = reads;
      best.warps_m = warps_m;
      best.warps_n = warps_n;
    }
  return best;
}

GroupTile tile_of(const GroupShape& shape) {
  return {.m = shape.m,
          .n = shape.n,
          .k_bytes = kLine,
          .atoms_m = shape.warps_m,
          .atoms_n = shape.warps_n,
          .stages = shape.stages,
          .cluster = {1, 1},
          .first_stages = FirstStages::by_initialiser};
}
GroupShape shape_of(const GroupTile& tile, const DeviceInfo& device) {
  return {tile.m,       tile.n,       tile.k_bytes / kWidth,
          tile.atoms_m, tile.atoms_n, std::min(tile.stages, stages_for(tile.m, tile.n, device))};
}

/// The slices of K with which the tile takes least.
RankedTile with_best_slices(const GroupShape& shape, const KernelProblem& problem,
                            const DeviceInfo& device) {
  RankedTile best{predicted(shape, 1, problem, device).clocks, tile_of(shape)};
  const double tiles =
      tiles_of({shape.m, shape.n}, problem.m.value, problem.n.value, problem.batch.value);
  const double sums = tiles * shape.m * shape.n * width_bytes(problem.accumulate);
  for (int slices = 2; slices <= kManySlices; slices += std::max(1, slices / 4)) {
    if (problem.k.value < slices * kLeastOfSlice ||
        slices * tiles > kMostBlocks * device.sm_count ||
        slices * sums > kMostSums * static_cast<double>(device.l2_bytes))
      break;
    const double own = predicted(shape, slices, problem, device).clocks;
    if (own >= best.clocks) continue;
    best.clocks = own;
    best.tile.slices = slices;
  }
  // Who waits for an SM anyway leaves nothing to the next kernel.
  const bool is_one_round = best.tile.slices * tiles <= device.sm_count;
  best.tile.release = is_one_round ? Release::at_start : Release::after_main_loop;
  return best;
}

constexpr int kBox = kLine / kWidth;  // of an operand along M or N, at least

bool is_whole(const KernelMatrix& matrix, int tile) {
  return matrix.major == Major::k || tile % kBox == 0;
}
/// Has the problem more than a smaller tile? That would have no more blocks.
bool is_filled(int tile, const KernelMatrix& matrix, int unit, Index extent) {
  const int least = matrix.major == Major::k ? unit : kBox;
  return tile == least || tile < 2 * std::max<Index>(extent, 1);
}

/// Calls `look` with the extents of every sensible tile.
template <class Look>
void for_extents(const KernelProblem& problem, const Look& look) {
  const auto is_long = [](int longer, int shorter) {
    return longer > std::max(kAlways, kMostAcross * shorter);
  };
  for (int m = kRowUnit; m <= kMostExtent; m *= 2)
    for (int n = kColumnUnit; n <= kMostExtent; n *= 2)
      if (m * n <= kMostElements && !is_long(m, n) && !is_long(n, m) && is_whole(problem.a, m) &&
          is_whole(problem.b, n) && is_filled(m, problem.a, kRowUnit, problem.m.value) &&
          is_filled(n, problem.b, kColumnUnit, problem.n.value))
        look(m, n);
}

}  // namespace of_warps
}  // namespace

std::vector<RankedTile> ranked_warp_groups(const KernelProblem& problem, const DeviceInfo& device,
                                           size_t most) {
  const int arch = device.arch.number;
  const bool suits =
      arch >= of_warps::kFirstArch && arch < of_warps::kNextArch && problem.a.type == DType::tf32 &&
      std::min(problem.a.access_bytes, problem.b.access_bytes) >= kChunk &&
      (problem.a.major == Major::mn || problem.b.major == Major::mn) && problem.products.empty();
  if (!suits) return {};
  std::vector<RankedTile> list;
  of_warps::for_extents(problem, [&](int m, int n) {
    const of_warps::GroupShape shape = of_warps::shape_of(m, n, device);
    if (shape.stages >= of_warps::kFewestStages)
      list.push_back(of_warps::with_best_slices(shape, problem, device));
  });
  std::ranges::stable_sort(list, {}, &RankedTile::clocks);
  list.resize(std::min(most, list.size()));
  return list;
}

std::optional<double> warp_group_clocks(const Candidate& candidate, const KernelProblem& problem,
                                        const DeviceInfo& device) {
  const auto* tile = std::get_if<GroupTile>(&candidate.tile);
  if (tile == nullptr || candidate.atom.form != MmaForm::mma ||
      width_bytes(problem.a.type) != of_warps::kWidth)
    return std::nullopt;
  return of_warps::predicted(of_warps::shape_of(*tile, device), tile->slices, problem, device)
      .clocks;
}

bool is_warp_group(const GemmStep& step) {
  return step.schedule.main_loop == MainLoop::warp_specialised &&
         step.mma.atom().form == MmaForm::mma && width_bytes(step.a.type) == of_warps::kWidth;
}

Prediction warp_group_prediction(const GemmStep& step, const DeviceInfo& device) {
  KernelProblem problem;
  problem.m = step.m;
  problem.n = step.n;
  problem.k = step.k;
  problem.batch = step.batch;
  problem.a.major = step.a.major;
  problem.b.major = step.b.major;
  const Layout& atoms = step.mma.atom_layout();
  const of_warps::GroupShape shape{step.tile.m,
                                   step.tile.n,
                                   step.tile.k,
                                   static_cast<int>(size(atoms[0])),
                                   static_cast<int>(size(atoms[1])),
                                   step.schedule.stages};
  return of_warps::predicted(shape, step.schedule.slices, problem, device);
}

}  // namespace jute::plan
