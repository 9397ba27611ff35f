// Tiles of warps along M, N and K, and what each of their threads copies.
#include "plan/shapes/warp_tiles.hpp"

#include <jute/plan/values/stored_stages.hpp>

#include <algorithm>

#include "plan/chip/line.hpp"
#include "plan/chip/warp.hpp"
#include "plan/convert/stored_elements.hpp"
#include "plan/values/block_threads.hpp"
#include "plan/values/promotion.hpp"

namespace jute::plan {
namespace {

/// Of a thread; through registers one takes as long for each.
double warp_tile_copies(const KernelMatrix& matrix, Transfer transfer, Index elements,
                        int threads) {
  if (matrix.stored && transfer == Transfer::registers) {
    constexpr double kRegisterBits = 8 * kRegisterBytes;
    const double bits = static_cast<double>(elements * width_bits(matrix.stored->type));
    return std::max(bits / kRegisterBits / threads, 1.0);
  }
  const int bytes = transfer == Transfer::cp_async ? matrix.access_bytes
                                                   : std::min(matrix.access_bytes, kRegisterBytes);
  const int most = elements_in(bytes, matrix.type);
  return std::max(static_cast<double>(elements) / threads / most, 1.0);
}

/// What threads copy of so many elements.
CopiedByWarps copied(const KernelMatrix& matrix, Transfer transfer, Index elements, int threads) {
  return {warp_tile_copies(matrix, transfer, elements, threads), matrix.access_bytes < kChunk,
          matrix.major, stored_elements(matrix.stored, matrix.type, elements / threads)};
}

/// Registers of all threads for a k-tile of an operand on its way: cp.async needs none but for what
/// is converted behind it.
double words_on_their_way(const CopiedByWarps& copied, Transfer transfer, Index elements,
                          int width) {
  constexpr int kByteBits = 8, kShare = 4;  // of what stored elements become
  const double words = static_cast<double>(elements * width) / kRegisterBytes;
  const double stored = static_cast<double>(elements * copied.stored.bits) / kByteBits;
  if (copied.stored.bits > 0) return stored / kRegisterBytes + words / kShare;
  return transfer == Transfer::cp_async ? 0 : words;
}

/// Bytes of shared memory for an operand's k-tiles: as they are multiplied, and as they are stored
/// where those lie ahead of these.
Index bytes_of_stages(const CopiedByWarps& copied, const WarpTileWork& work, Index elements,
                      int width) {
  constexpr int kByteBits = 8;
  if (copied.stored.bits == 0 || work.transfer != Transfer::cp_async)
    return elements * width * work.stages;
  return elements * (width * kConvertedStages + copied.stored.bits * work.stages / kByteBits);
}

/// Instructions of a thread that takes the scales of a k-tile, and adds its sums by them.
double scaling_of_thread(const WarpTileWork& work, const KernelProblem& problem) {
  constexpr int kLanesOfColumn = 8, kLanesOfRow = 4;  // of an instruction's sums
  if (!problem.a.scales && !problem.b.scales) return 0;
  const auto rows = static_cast<Index>(work.rows()) / kLanesOfColumn,
             columns = static_cast<Index>(work.columns()) / kLanesOfRow;
  const auto lines = [](const KernelMatrix& matrix, Index extent, Index of_thread) {
    return matrix.scales ? scale_lines(matrix.scales->block_outer, extent, of_thread,
                                       TilesBegin::at_multiples, false)
                         : ScaleLines{ScalesBy::one, 1};
  };
  const ScaleWork scales = scale_work(lines(problem.a, work.tile.m, rows),
                                      lines(problem.b, work.tile.n, columns), rows, columns);
  return scales.instructions + 2 * sums_of_thread(work);  // which begin at 0, and are added
}

}  // namespace

bool suits_warp_tiles(const KernelProblem& problem, const DeviceInfo& device) {
  constexpr int kFirstWithout = 90, kNextWith = 120;  // hardware: 8-bit floats by mma.sync
  const bool converts = is_small_float(problem.a.type) && device.arch.number >= kFirstWithout &&
                        device.arch.number < kNextWith;
  const bool is_short =
      problem.k.baked && problem.k.value * width_bytes(problem.a.type) <= kLine / 2;
  return problem.products.empty() && !converts && (!is_short || problem.a.type == DType::f64);
}

WarpTileWork warp_tile_work(const Tile& tile, Transfer transfer, const KernelProblem& problem) {
  WarpTileWork work{{tile.m, tile.n, tile.k_bytes / width_bytes(problem.a.type)},
                    tile.groups_m,
                    tile.groups_n,
                    tile.groups_k,
                    transfer,
                    tile.stages,
                    {},
                    {}};
  const int threads = work.warps() * kWarp;
  work.a = copied(problem.a, transfer, Index{tile.m} * work.tile.k, threads);
  work.b = copied(problem.b, transfer, Index{tile.n} * work.tile.k, threads);
  work.scaled = scaling_of_thread(work, problem);
  return work;
}

WarpsOfTile atoms_of_warp(const MmaAtom& atom) {
  WarpsOfTile one{1, 1};
  while (one.m * one.n * threads(atom) < kWarp) (one.m > one.n ? one.n : one.m) *= 2;
  return one;
}

double staged_by_thread(const WarpTileWork& work, const KernelProblem& problem) {
  const int width = width_bytes(problem.a.type);
  const double words =
      words_on_their_way(work.a, work.transfer, Index{work.tile.m} * work.tile.k, width) +
      words_on_their_way(work.b, work.transfer, Index{work.tile.n} * work.tile.k, width);
  const double of_thread = words / kWarp / work.warps();
  return work.transfer == Transfer::cp_async ? of_thread
                                             : std::max(of_thread, work.a.copies + work.b.copies);
}

Index smem_bytes(const WarpTileWork& work, const KernelProblem& problem) {
  const int width = width_bytes(problem.a.type);
  const Index stages = bytes_of_stages(work.a, work, Index{work.tile.m} * work.tile.k, width) +
                       bytes_of_stages(work.b, work, Index{work.tile.n} * work.tile.k, width);
  const Index sums = Index{work.tile.m} * work.tile.n * (work.warps_k - 1);
  return std::max(stages, sums * width_bytes(problem.accumulate));
}

bool fits_block(const WarpTileWork& work, const KernelProblem& problem, const DeviceInfo& device) {
  // Registers: bench/results/2026-11-28-choices-of-other-types.md.
  constexpr double kMostOnItsWay = 48;
  return smem_bytes(work, problem) <= device.smem_bytes_per_block &&
         staged_by_thread(work, problem) <= kMostOnItsWay;
}

}  // namespace jute::plan
