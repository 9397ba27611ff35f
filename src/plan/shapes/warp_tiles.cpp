// Tiles of warps along M, N and K, stages, slices, and what these take.
#include "plan/shapes/warp_tiles.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

#include "plan/chip/chip_rates.hpp"
#include "plan/chip/line.hpp"
#include "plan/chip/warp.hpp"
#include "plan/choose/fastest.hpp"
#include "plan/cost/cost_model.hpp"
#include "plan/cost/dealt_blocks.hpp"
#include "plan/cost/overlap.hpp"
#include "plan/cost/slice_cost.hpp"
#include "plan/derive/drain/draining.hpp"
#include "plan/derive/promotion.hpp"
#include "plan/run/parameters.hpp"
#include "plan/shapes/thread_tiles.hpp"
#include "plan/shapes/warps_of_tile.hpp"

namespace jute::plan {
namespace {
constexpr int kFewestWarps = 4, kWarpTileMostWarps = 8;  // of a block
constexpr int kMostOfWarp = 64;                          // rows or columns
constexpr int kWarpTileLeastElements = 256;              // of a tile
constexpr int kShortKTiles = 128 * 64;      // elements of a tile whose k-tiles are short
constexpr double kMostOnItsWay = 48;        // registers of what a thread has
constexpr double kWarpTileOwn = 45;         // registers beside sums and fragments
constexpr int kOfRows = 8, kOfColumns = 4;  // of fragments of 16 rows, of 8 columns

/// Clocks, fitted to times of kernels on an H200. Of an SM, for each warp: a thread's copy of 16
/// bytes, of fewer. Of one block: from asking for a k-tile until it has landed; a row or column
/// that a warp reads in a k-step, an element that it multiplies, a copy.
struct Copying {
  double copy, narrow;
  double lands, turn_of_read, turn_of_product, turn_of_copy;
};
constexpr Copying kThroughRegisters{1.83, 1.83, 880, 5.68, 0.0224, 9.96};
/// Likewise.
struct WarpTileClocks {
  double others_ahead;  ///< that models of other kernels expect too much
  int k_step;           ///< elements along K that what follows of products and reads is for
  int registers;        ///< of a sum
  /// From one kernel to the next; of a block, its start and end, and each further part of K.
  double launch, tile, part;
  /// Of an SM, for each warp: an element of its part of the tile in a k-step, a row or column that
  /// it reads of a stage, how much more if the operand lies along M or N.
  double product, read, along_mn;
  double stored, added;  ///< of an SM: an element of D, one that warps add to others'
  Copying copying;       ///< by cp.async
  /// A slice's sums in the workspace, and for each slice; a sum; one that the last block adds.
  double leave, slice, left, met;
  double cache;  ///< bytes in a clock that come out of the L2 cache
  double sharp;  ///< the longest of several decides the more the greater it is
};
// clang-format off
constexpr WarpTileClocks kWarpTileOfHalves {4400, 16, 1, 2687, 2492, 246, 0.0089, 0.0459, 3.09, 0.122, 0.194,
                            {3.46, 6,    820,  0.48, 0, 13.9}, 2200, 0,    0.287, 0.0686, 20000, 1.54};
constexpr WarpTileClocks kWarpTileOfWords  {3500,  8, 1, 2174, 2204, 0,   0.0089, 0.0309, 2.37, 0.181, 0.44,
                            {5.07, 5.07, 682,  0.71, 0, 0},    2113, 0,    0.319, 0.0626, 20000, 1.31};
constexpr WarpTileClocks kWarpTileOfBytes  {4000, 32, 1, 3493, 1941, 379, 0.0089, 0.273,  2,    0.177, 0.075,
                            {0,    0,    584,  0,    0, 40.4}, 360,  18.4, 0.195, 0.0949, 20000, 1.58};
constexpr WarpTileClocks kWarpTileOfDoubles{3100,  8, 2, 4396, 0,    202, 0.0455, 0.0493, 0.86, 0.613, 0.374,
                            {4.65, 4.65, 1512, 1.55, 0, 27.4}, 3098, 51.6, 0.166, 0.173,  4500,  3.39};
// clang-format on

const WarpTileClocks& warp_tile_clocks_of(DType type) {
  switch (width_bytes(type)) {
    case 8:
      return kWarpTileOfDoubles;
    case 4:
      return kWarpTileOfWords;
    case 2:
      return kWarpTileOfHalves;
    default:
      return kWarpTileOfBytes;
  }
}

struct WarpTileShape {
  TileShape tile;
  int warps_m, warps_n, warps_k;
  Transfer transfer;
  int stages;
  double copies;    ///< of a thread, of both operands' k-tile
  double copying;   ///< clocks of an SM for a warp's
  double gathered;  ///< rows and columns of a warp, those along M or N by what they take more
  [[nodiscard]] int warps() const { return warps_m * warps_n * warps_k; }
  [[nodiscard]] double rows() const { return static_cast<double>(tile.m) / warps_m; }
  [[nodiscard]] double columns() const { return static_cast<double>(tile.n) / warps_n; }
};

const Copying& copying_of(Transfer transfer, const KernelProblem& problem) {
  return transfer == Transfer::cp_async ? warp_tile_clocks_of(problem.a.type).copying
                                        : kThroughRegisters;
}

/// Of a thread; through registers one takes as long for each.
double warp_tile_copies(const KernelMatrix& matrix, Transfer transfer, Index elements,
                        int threads) {
  const int bytes = transfer == Transfer::cp_async ? matrix.access_bytes
                                                   : std::min(matrix.access_bytes, kRegisterBytes);
  const int most = elements_in(bytes, matrix.type);
  return std::max(static_cast<double>(elements) / threads / most, 1.0);
}

WarpTileShape warp_tile_shape(const TileShape& tile, int warps_m, int warps_n, int warps_k,
                              Transfer transfer, int stages, const KernelProblem& problem) {
  WarpTileShape shape{tile, warps_m, warps_n, warps_k, transfer, stages, 0, 0, 0};
  const int threads = shape.warps() * kWarp;
  const Copying& by = copying_of(shape.transfer, problem);
  const auto copy = [&](const KernelMatrix& matrix, Index elements) {
    const double copies = warp_tile_copies(matrix, transfer, elements, threads);
    shape.copies += copies;
    shape.copying += copies * (matrix.access_bytes < kChunk ? by.narrow : by.copy);
  };
  copy(problem.a, Index{tile.m} * tile.k);
  copy(problem.b, Index{tile.n} * tile.k);
  const double more = warp_tile_clocks_of(problem.a.type).along_mn;
  const auto of_one = [&](const KernelMatrix& matrix) {
    return matrix.major == Major::mn ? more : 1;
  };
  shape.gathered = shape.rows() * of_one(problem.a) + shape.columns() * of_one(problem.b);
  return shape;
}

double sums_of_thread(const WarpTileShape& shape) { return shape.rows() * shape.columns() / kWarp; }
/// Registers of what a thread has on its way.
double staged_by_thread(const WarpTileShape& shape, const KernelProblem& problem) {
  if (shape.transfer == Transfer::cp_async) return 0;
  const double elements = static_cast<double>(shape.tile.m + shape.tile.n) * shape.tile.k;
  return std::max(elements * width_bytes(problem.a.type) / kRegisterBytes / kWarp / shape.warps(),
                  shape.copies);
}

Index warp_tile_smem_bytes(const WarpTileShape& shape, const KernelProblem& problem) {
  const Index stages = Index{shape.tile.m + shape.tile.n} * shape.tile.k * shape.stages;
  const Index sums = Index{shape.tile.m} * shape.tile.n * (shape.warps_k - 1);
  return std::max(stages * width_bytes(problem.a.type), sums * width_bytes(problem.accumulate));
}

/// Blocks that an SM has room for.
double resident_warp_tiles(const WarpTileShape& shape, const KernelProblem& problem,
                           const DeviceInfo& device) {
  const double registers = kWarpTileOwn + staged_by_thread(shape, problem) +
                           warp_tile_clocks_of(problem.a.type).registers * sums_of_thread(shape) +
                           shape.rows() / kRowUnit * kOfRows +
                           shape.columns() / kColumnUnit * kOfColumns;
  const auto fit =
      static_cast<double>(device.smem_bytes_per_sm / warp_tile_smem_bytes(shape, problem));
  return std::clamp(fit, 1.0, blocks_of_sm(shape.warps() * kWarp, registers, device));
}

/// What does not depend on how K is cut.
struct UncutWarpTile {
  double tiles, resident;  ///< blocks, and those of an SM at once
  double memory;
  double products, feed;  ///< of a block's k-tile
};
UncutWarpTile uncut_warp_tile(const WarpTileShape& shape, const KernelProblem& problem,
                              const DeviceInfo& device) {
  const WarpTileClocks& of = warp_tile_clocks_of(problem.a.type);
  const Copying& by = copying_of(shape.transfer, problem);
  const double k_steps = static_cast<double>(shape.tile.k) / of.k_step / shape.warps_k;
  const double slowness = slowness_of_tensor_cores(problem.a.type, device.arch);
  const double elements = shape.rows() * shape.columns() * slowness;
  const double in_turn = by.turn_of_read * (shape.rows() + shape.columns()) * k_steps +
                         by.turn_of_product * elements * k_steps + by.turn_of_copy * shape.copies;
  const Index m = problem.m.value, n = problem.n.value, k = problem.k.value,
              batch = problem.batch.value;
  const int width = width_bytes(problem.a.type);
  const double tiles = std::max(tiles_of(shape.tile, m, n, batch), 1.0);
  const double loaded = tiles * (shape.tile.m + shape.tile.n) * static_cast<double>(k) * width;
  return {
      .tiles = tiles,
      .resident = resident_warp_tiles(shape, problem, device),
      .memory = std::max(all_bytes(m, n, k, batch, width) / memory_rate(device), loaded / of.cache),
      .products = shape.warps() *
                  (k_steps * (of.product * elements + of.read * shape.gathered) + shape.copying),
      .feed = std::max(by.lands / (shape.stages - 1), in_turn)};
}

/// Beyond `limit` no more than that is sure of its clocks.
Prediction predicted_warp_tile(const WarpTileShape& shape, const UncutWarpTile& whole, int slices,
                               const KernelProblem& problem, const DeviceInfo& device,
                               double limit = std::numeric_limits<double>::infinity()) {
  const WarpTileClocks& of = warp_tile_clocks_of(problem.a.type);
  const double elements = static_cast<double>(shape.tile.m) * shape.tile.n;
  const double is_cut = slices > 1 ? 1 : 0;
  Prediction result;
  result.launch = of.launch;
  const double of_sm =
      deal_out(result, whole.tiles * slices, whole.resident, whole.products, whole.feed, device);
  result.k_blocks = k_blocks_of(problem.k.value, shape.tile.k, slices);
  result.tile = of.tile + of.part * (shape.warps_k - 1) + is_cut * of.leave;
  result.epilogue = of_sm / result.waves *
                    (of.stored + of.added * (shape.warps_k - 1) + is_cut * of.left) * elements;
  result.memory = whole.memory;
  const double of_all = issued(result), of_each = turns(result);
  result.work = std::max(of_all, of_each);
  result.meet = is_cut * slices * (of.slice + of.met * elements);
  const double longest = std::max(result.work, result.memory);
  result.clocks = result.launch + longest + result.meet;
  if (result.clocks >= limit) return result;
  result.least = together(of_all, of_each, result.memory, of.sharp) - longest;
  result.clocks += result.least;
  return result;
}

/// Hopper and chips after it, up to sm_120, convert 8-bit floats before they multiply them. Where K
/// is one short k-tile D decides, and nothing is to be loaded ahead.
bool are_warp_tiles_modelled(const KernelProblem& problem, const DeviceInfo& device) {
  constexpr int kFirstWithout = 90, kNextWith = 120;
  const bool converts = is_small_float(problem.a.type) && device.arch.number >= kFirstWithout &&
                        device.arch.number < kNextWith;
  const bool is_short =
      problem.k.baked && problem.k.value * width_bytes(problem.a.type) <= kLine / 2;
  return problem.products.empty() && !converts && (!is_short || problem.a.type == DType::f64);
}

/// Is less than a half of the extent past the edge?
bool is_filled_by_warp_tile(int extent, int unit, Index own) {
  return extent == unit || extent < 2 * std::max<Index>(own, 1);
}

/// Calls `look` with every sensible shape.
template <class Look>
void for_shapes(const KernelProblem& problem, const DeviceInfo& device, const Look& look) {
  constexpr std::array kRows{16, 32, 64, 128, 256};
  constexpr std::array kColumns{8, 16, 32, 64, 128, 256};
  constexpr std::array kWarps{1, 2, 4, 8};
  constexpr std::array kParts{1, 2, 4};
  static constexpr std::array kStages{2, 3, 4};
  const Transfer transfer =
      may_be_staged(problem, device) ? Transfer::cp_async : Transfer::registers;
  const auto all_stages =
      transfer == Transfer::cp_async ? std::span(kStages).subspan(1) : std::span(kStages).first(1);
  constexpr int kEnoughBlocks = 2;  // of an SM, whose warps need not share out K as well
  const int width = width_bytes(problem.a.type);
  // What is on its way takes registers as well.
  const int most_registers = transfer == Transfer::cp_async ? 128 : 64;
  const int most_sums = most_registers / warp_tile_clocks_of(problem.a.type).registers;
  for (const int m : kRows)
    for (const int n : kColumns) {
      if (m * n < kWarpTileLeastElements || !is_filled_by_warp_tile(m, kRowUnit, problem.m.value) ||
          !is_filled_by_warp_tile(n, kColumnUnit, problem.n.value))
        continue;
      const double tiles = tiles_of({m, n}, problem.m.value, problem.n.value, problem.batch.value);
      const bool are_whole =
          tiles > kEnoughBlocks * device.sm_count || !adds_as_one(problem.accumulate);
      for (const int warps : kWarps) {
        const std::optional<WarpsOfTile> ways = warps_of_tile(m, n, warps);
        if (!ways || m * n > most_sums * kWarp * warps || m > kMostOfWarp * ways->m ||
            n > kMostOfWarp * ways->n)
          continue;
        for (const int parts : kParts) {
          if (warps * parts < kFewestWarps || warps * parts > kWarpTileMostWarps ||
              (parts > 1 && are_whole))
            continue;
          const bool are_long = width == sizeof(double) || m * n < kShortKTiles;
          const int k = (are_long ? kLine : kLine / 2) / width * parts;
          for (const int stages : all_stages)
            look(warp_tile_shape({m, n, k}, ways->m, ways->n, parts, transfer, stages, problem));
        }
      }
    }
}

WarpTile warp_tile(const WarpTileShape& shape, int slices, const KernelProblem& problem) {
  return {.transfer = shape.transfer,
          .m = shape.tile.m,
          .n = shape.tile.n,
          .k_bytes = shape.tile.k * width_bytes(problem.a.type),
          .warps_m = shape.warps_m,
          .warps_n = shape.warps_n,
          .stages = shape.stages,
          .warps_k = shape.warps_k,
          .slices = slices};
}

}  // namespace

std::vector<RankedWarps> ranked_warp_tiles(const KernelProblem& problem, const DeviceInfo& device,
                                           size_t most) {
  if (!are_warp_tiles_modelled(problem, device)) return {};
  NearFastest<RankedWarps> near;
  for_shapes(problem, device, [&](const WarpTileShape& shape) {
    if (warp_tile_smem_bytes(shape, problem) > device.smem_bytes_per_block ||
        staged_by_thread(shape, problem) > kMostOnItsWay)
      return;
    const UncutWarpTile whole = uncut_warp_tile(shape, problem, device);
    for_filling_slices(shape.tile, problem, device, [&](int slices) {
      near.add({predicted_warp_tile(shape, whole, slices, problem, device, near.limit()).clocks,
                warp_tile(shape, slices, problem)});
    });
  });
  std::vector<RankedWarps> list = std::move(near).list();
  keep_first_of_fastest(list, most);
  return list;
}

double others_ahead_of_warps(const KernelProblem& problem) {
  return warp_tile_clocks_of(problem.a.type).others_ahead;
}

std::optional<double> warp_tile_clocks(const Candidate& candidate, const KernelProblem& problem,
                                       const DeviceInfo& device) {
  constexpr double kUnsure = 1.28;  // of what is expected: too little, at times, of long kernels
  const auto* tile = std::get_if<WarpTile>(&candidate.tile);
  if (tile == nullptr || !are_warp_tiles_modelled(problem, device)) return std::nullopt;
  const WarpTileShape shape = warp_tile_shape(
      {tile->m, tile->n, tile->k_bytes / width_bytes(problem.a.type)}, tile->warps_m, tile->warps_n,
      tile->warps_k, tile->transfer, tile->stages, problem);
  const double clocks = predicted_warp_tile(shape, uncut_warp_tile(shape, problem, device),
                                            tile->slices, problem, device)
                            .clocks;
  return std::max(clocks + others_ahead_of_warps(problem), kUnsure * clocks);
}

bool is_warp_tile(const GemmStep& step) {
  return is_copied_by_threads(step.schedule.main_loop) && step.mma.atom().form == MmaForm::mma;
}

Prediction warp_tile_prediction(const GemmStep& step, const DeviceInfo& device) {
  KernelProblem problem = problem_of(step);
  problem.a.access_bytes = step.a.vector_elems * width_bytes(step.a.type);
  problem.b.access_bytes = step.b.vector_elems * width_bytes(step.b.type);
  const Layout& atoms = step.mma.atom_layout();
  const auto along = [&](int mode) { return static_cast<int>(size(atoms[mode])); };
  const WarpTileShape shape = warp_tile_shape(step.tile, along(0), along(1), along(2),
                                              step.a.transfer, step.schedule.stages, problem);
  return predicted_warp_tile(shape, uncut_warp_tile(shape, problem, device), step.schedule.slices,
                             problem, device);
}

}  // namespace jute::plan
