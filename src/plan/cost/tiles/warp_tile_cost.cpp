// Copies, products and ends of tiles, in clocks of kernels on an H200.
#include "plan/cost/tiles/warp_tile_cost.hpp"

#include <algorithm>

#include "plan/chip/chip_rates.hpp"
#include "plan/chip/residency.hpp"
#include "plan/chip/warp.hpp"
#include "plan/cost/dealt_blocks.hpp"
#include "plan/cost/overlap.hpp"
#include "plan/shapes/warps_of_tile.hpp"
#include "plan/values/tile_counts.hpp"

namespace jute::plan {
namespace {

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
constexpr WarpTileClocks kWarpTileOfHalves {4400, 16, 2687, 2492, 246, 0.0089, 0.0459, 3.09, 0.122, 0.194,
                            {3.46, 6,    820,  0.48, 0, 13.9}, 2200, 0,    0.287, 0.0686, 20000, 1.54};

constexpr WarpTileClocks kWarpTileOfWords  {3500,  8, 2174, 2204, 0,   0.0089, 0.0309, 2.37, 0.181, 0.44,
                            {5.07, 5.07, 682,  0.71, 0, 0},    2113, 0,    0.319, 0.0626, 20000, 1.31};

constexpr WarpTileClocks kWarpTileOfBytes  {4000, 32, 3493, 1941, 379, 0.0089, 0.273,  2,    0.177, 0.075,
                            {0,    0,    584,  0,    0, 40.4}, 360,  18.4, 0.195, 0.0949, 20000, 1.58};

constexpr WarpTileClocks kWarpTileOfDoubles{3100,  8, 4396, 0,    202, 0.0455, 0.0493, 0.86, 0.613, 0.374,
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

const Copying& copying_of(Transfer transfer, const KernelProblem& problem) {
  return transfer == Transfer::cp_async ? warp_tile_clocks_of(problem.a.type).copying
                                        : kThroughRegisters;
}

/// Blocks that an SM has room for.
double resident_warp_tiles(const WarpTileWork& work, const KernelProblem& problem,
                           const DeviceInfo& device) {
  const double registers = kWarpTileOwn + staged_by_thread(work, problem) +
                           sum_registers(problem) * sums_of_thread(work) +
                           work.rows() / kRowUnit * kOfRows +
                           work.columns() / kColumnUnit * kOfColumns;
  const auto fit = static_cast<double>(device.smem_bytes_per_sm / smem_bytes(work, problem));
  return std::clamp(fit, 1.0, blocks_of_sm(work.warps() * kWarp, registers, device));
}

}  // namespace

UncutWarpTile uncut(const WarpTileWork& work, const KernelProblem& problem,
                    const DeviceInfo& device) {
  const WarpTileClocks& of = warp_tile_clocks_of(problem.a.type);
  const Copying& by = copying_of(work.transfer, problem);
  const double k_steps = static_cast<double>(work.tile.k) / of.k_step / work.warps_k;
  const double slowness = slowness_of_tensor_cores(problem.a.type, device.arch);
  const double elements = work.rows() * work.columns() * slowness;
  const auto copying = [&](const CopiedByWarps& operand) {
    return operand.copies * (operand.are_narrow ? by.narrow : by.copy);
  };
  const auto of_one = [&](const CopiedByWarps& operand) {
    return operand.major == Major::mn ? of.along_mn : 1;
  };
  const double gathered = work.rows() * of_one(work.a) + work.columns() * of_one(work.b);
  const double in_turn = by.turn_of_read * (work.rows() + work.columns()) * k_steps +
                         by.turn_of_product * elements * k_steps +
                         by.turn_of_copy * (work.a.copies + work.b.copies);
  const Index m = problem.m.value, n = problem.n.value, k = problem.k.value,
              batch = problem.batch.value;
  const int width = width_bytes(problem.a.type);
  const double tiles = std::max(tiles_of(work.tile, m, n, batch), 1.0);
  const double loaded = tiles * (work.tile.m + work.tile.n) * static_cast<double>(k) * width;
  return {
      .tiles = tiles,
      .resident = resident_warp_tiles(work, problem, device),
      .memory = std::max(all_bytes(m, n, k, batch, width) / memory_rate(device), loaded / of.cache),
      .products = work.warps() * (k_steps * (of.product * elements + of.read * gathered) +
                                  (copying(work.a) + copying(work.b))),
      .feed = std::max(by.lands / (work.stages - 1), in_turn)};
}

namespace {

/// Blocks of an SM, by the work of a whole tile's.
struct Dealt {
  double of_sm;
  double cut;  ///< of an SM: blocks that have a slice
};

/// Into `result` as deal_out: of a last wave that slices share out, the part that it takes.
Dealt deal_out_cut(Prediction& result, const WarpTileWork& work, const UncutWarpTile& whole,
                   const TileCut& cut, const KernelProblem& problem, const DeviceInfo& device) {
  result.k_blocks = k_blocks_of(problem.k.value, work.tile.k, cut.whole_tiles > 0 ? 1 : cut.slices);
  if (cut.whole_tiles == 0) {
    const double of_sm = deal_out(result, whole.tiles * cut.slices, whole.resident, whole.products,
                                  whole.feed, device);
    return {of_sm, cut.slices > 1 ? of_sm : 0};
  }
  const double sms = std::max(device.sm_count, 1);
  const double behind = std::max(whole.tiles - static_cast<double>(cut.whole_tiles), 0.0);
  const double slices = std::ceil(behind * cut.slices / sms);
  const double of_sm = static_cast<double>(cut.whole_tiles) / sms + slices / cut.slices;
  result.waves = result.ends = of_sm / std::min(whole.resident, of_sm);
  result.products = of_sm / result.waves * whole.products;
  result.feed = whole.feed;
  result.k_block = std::max(result.products, whole.feed);
  return {of_sm, slices};
}

}  // namespace

Prediction predicted(const WarpTileWork& work, const UncutWarpTile& whole, const TileCut& cut,
                     const KernelProblem& problem, const DeviceInfo& device, double limit) {
  const WarpTileClocks& of = warp_tile_clocks_of(problem.a.type);
  const double elements = static_cast<double>(work.tile.m) * work.tile.n;
  const double is_cut = cut.slices > 1 ? 1 : 0;
  Prediction result;
  result.launch = of.launch;
  const Dealt dealt = deal_out_cut(result, work, whole, cut, problem, device);
  const double left = dealt.cut / dealt.of_sm;  // of blocks, so many leave sums
  result.tile = of.tile + of.part * (work.warps_k - 1) + left * of.leave;
  result.epilogue = dealt.of_sm / result.waves *
                    (of.stored + of.added * (work.warps_k - 1) + left * of.left) * elements;
  result.memory = whole.memory;
  const double of_all = issued(result), of_each = turns(result);
  result.work = std::max(of_all, of_each);
  result.meet = is_cut * cut.slices * (of.slice + of.met * elements);
  const double longest = std::max(result.work, result.memory);
  result.clocks = result.launch + longest + result.meet;
  if (result.clocks >= limit) return result;
  result.least = together(of_all, of_each, result.memory, of.sharp) - longest;
  result.clocks += result.least;
  return result;
}

double others_ahead_of_warps(const KernelProblem& problem) {
  return warp_tile_clocks_of(problem.a.type).others_ahead;
}

std::optional<double> warp_tile_clocks(const Candidate& candidate, const KernelProblem& problem,
                                       const DeviceInfo& device) {
  constexpr double kUnsure = 1.28;  // of what is expected: too little, at times, of long kernels
  const auto* tile = std::get_if<WarpTile>(&candidate.tile);
  if (tile == nullptr || !suits_warp_tiles(problem, device)) return std::nullopt;
  const WarpTileWork work = work_of(*tile, problem);
  const double clocks = predicted(work, uncut(work, problem, device),
                                  {tile->slices, tile->whole_tiles}, problem, device)
                            .clocks;
  return std::max(clocks + others_ahead_of_warps(problem), kUnsure * clocks);
}

}  // namespace jute::plan
