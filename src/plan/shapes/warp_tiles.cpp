// Tiles of warps along M, N and K, and what each of their threads copies.
#include "plan/shapes/warp_tiles.hpp"

#include <jute/plan/values/stored_stages.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include "plan/chip/line.hpp"
#include "plan/chip/warp.hpp"
#include "plan/convert/stored_elements.hpp"
#include "plan/shapes/tile_block.hpp"
#include "plan/values/block_threads.hpp"
#include "plan/values/promotion.hpp"

namespace jute::plan {
namespace {

/// Copies of a thread; through registers one takes as long for each.
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

/// An operand's k-tile on its way: what a thread copies of it, and what becomes another type.
struct OnItsWay {
  double copies;
  StoredElements stored;
  Index elements;
};
OnItsWay on_its_way(const KernelMatrix& matrix, Transfer transfer, Index elements, int threads) {
  return {warp_tile_copies(matrix, transfer, elements, threads),
          stored_elements(matrix.stored, matrix.type, elements / threads), elements};
}

/// Registers of all threads for it: cp.async needs none but for what is converted behind it.
double words_on_their_way(const OnItsWay& operand, Transfer transfer, int width) {
  constexpr int kByteBits = 8, kShare = 4;  // of what stored elements become
  const double words = static_cast<double>(operand.elements * width) / kRegisterBytes;
  const double stored = static_cast<double>(operand.elements * operand.stored.bits) / kByteBits;
  if (operand.stored.bits > 0) return stored / kRegisterBytes + words / kShare;
  return transfer == Transfer::cp_async ? 0 : words;
}

/// Bytes of shared memory for an operand's k-tiles: as they are multiplied, and as they are stored
/// where those lie ahead of these.
Index bytes_of_stages(const OnItsWay& operand, Transfer transfer, int stages, int width) {
  constexpr int kByteBits = 8;
  if (operand.stored.bits == 0 || transfer != Transfer::cp_async)
    return operand.elements * width * stages;
  return operand.elements * (width * kConvertedStages + operand.stored.bits * stages / kByteBits);
}

/// Bytes that are read from a stage as they are stored, and written to another.
double converting_bytes(const OnItsWay& operand, Transfer transfer, int width) {
  constexpr double kByteBits = 8;
  if (operand.stored.bits == 0 || transfer != Transfer::cp_async) return 0;
  return (width + operand.stored.bits / kByteBits) * static_cast<double>(operand.elements);
}

/// Rows and columns of a warp.
struct WarpExtents {
  double rows, columns;
  [[nodiscard]] double sums_of_thread() const { return rows * columns / kWarp; }
};

/// Instructions of a thread that takes the scales of a k-tile, and adds its sums by them.
double scaling_of_thread(const Tile& tile, const WarpExtents& warp, const KernelProblem& problem) {
  constexpr int kLanesOfColumn = 8, kLanesOfRow = 4;  // of an instruction's sums
  if (!problem.a.scales && !problem.b.scales) return 0;
  const auto rows = static_cast<Index>(warp.rows) / kLanesOfColumn,
             columns = static_cast<Index>(warp.columns) / kLanesOfRow;
  const auto lines = [](const KernelMatrix& matrix, Index extent, Index of_thread) {
    return matrix.scales ? scale_lines(matrix.scales->block_outer, extent, of_thread,
                                       TilesBegin::at_multiples, false)
                         : ScaleLines{ScalesBy::one, 1};
  };
  const ScaleWork scales =
      scale_work(lines(problem.a, tile.m, rows), lines(problem.b, tile.n, columns), rows, columns);
  return scales.instructions + 2 * warp.sums_of_thread();  // which begin at 0, and are added
}

/// Registers of a thread that both operands have on their way.
double registers_on_their_way(const OnItsWay& a, const OnItsWay& b, Transfer transfer,
                              const Block& block) {
  const int width = static_cast<int>(block.width);
  const double words =
      words_on_their_way(a, transfer, width) + words_on_their_way(b, transfer, width);
  const double of_thread = words / kWarp / block.warps;
  return transfer == Transfer::cp_async ? of_thread : std::max(of_thread, a.copies + b.copies);
}

double stored_bytes(const OnItsWay& operand, double width) {
  constexpr double kByteBits = 8;
  return operand.stored.bits == 0 ? width : operand.stored.bits / kByteBits;
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

Block warp_tile_block(const Tile& tile, Transfer transfer, const KernelProblem& problem) {
  // Registers that a thread has beside sums, fragments and what is on its way, as ptxas gives them:
  // bench/results/2026-11-29-one-law.md.
  constexpr double kOwnRegisters = 45;
  constexpr int kOfRows = 8, kOfColumns = 4;  // of fragments of 16 rows, of 8 columns
  const int width = width_bytes(problem.a.type), k = tile.k_bytes / width;
  const int warps = tile.groups_m * tile.groups_n * tile.groups_k, threads = warps * kWarp;
  const WarpExtents warp{static_cast<double>(tile.m) / tile.groups_m,
                         static_cast<double>(tile.n) / tile.groups_n};
  const OnItsWay a = on_its_way(problem.a, transfer, Index{tile.m} * k, threads),
                 b = on_its_way(problem.b, transfer, Index{tile.n} * k, threads);
  const double scaled = scaling_of_thread(tile, warp, problem);
  Block block = block_of_tile({tile.m, tile.n, k}, problem);
  block.a_bytes = stored_bytes(a, width), block.b_bytes = stored_bytes(b, width);
  block.threads = threads, block.warps = warps;
  block.on_the_way = registers_on_their_way(a, b, transfer, block);
  block.registers = kOwnRegisters + block.on_the_way +
                    (scaled > 0 ? 2 : 1) * sum_registers(problem) * warp.sums_of_thread() +
                    warp.rows / kRowUnit * kOfRows + warp.columns / kColumnUnit * kOfColumns;
  const Index sums = Index{tile.m} * tile.n * (tile.groups_k - 1) * width_bytes(problem.accumulate);
  block.smem_bytes =
      static_cast<double>(std::max(bytes_of_stages(a, transfer, tile.stages, width) +
                                       bytes_of_stages(b, transfer, tile.stages, width),
                                   sums));
  block.smem_read = warps * (warp.rows + warp.columns) * k / tile.groups_k * width +
                    converting_bytes(a, transfer, width) + converting_bytes(b, transfer, width);
  block.copies = warps * (a.copies + b.copies);
  block.converted = warps * (a.stored.instructions + b.stored.instructions + scaled);
  block.ahead = tile.stages - 1;
  block.parts = tile.groups_k;
  return block;
}

WarpsOfTile atoms_of_warp(const MmaAtom& atom) {
  WarpsOfTile one{1, 1};
  while (one.m * one.n * threads(atom) < kWarp) (one.m > one.n ? one.n : one.m) *= 2;
  return one;
}

void for_warp_tiles(const KernelProblem& problem, const DeviceInfo& device,
                    const LookAtTile& look) {
  constexpr int kFewestWarps = 4, kMostWarps = 8;  // of a block
  constexpr int kMostOfWarp = 64;                  // rows or columns
  constexpr int kLeastElements = 256;              // of a tile
  constexpr int kShortKTiles = 128 * 64;           // elements of a tile whose k-tiles are short
  constexpr std::array kRows{16, 32, 64, 128, 256};
  constexpr std::array kColumns{8, 16, 32, 64, 128, 256};
  constexpr std::array kWarps{1, 2, 4, 8};
  constexpr std::array kParts{1, 2, 4};
  // bench/results/2026-11-27-warp-tiles-all-types.md.
  static constexpr std::array kStages{2, 3, 4};
  const Transfer transfer = row_of(warp_tiles_of(problem, device)).transfer;
  const auto all_stages =
      transfer == Transfer::cp_async ? std::span(kStages).subspan(1) : std::span(kStages).first(1);
  constexpr int kEnoughBlocks = 2;  // of an SM, whose warps need not share out K as well
  const int width = width_bytes(problem.a.type);
  // Operands on their way take registers as well.
  const bool is_scaled = problem.a.scales || problem.b.scales;  // which has sums of its own
  const int most_registers =
      transfer == Transfer::cp_async && !has_stored(problem) && !is_scaled ? 128 : 64;
  const int most_sums = most_registers / sum_registers(problem);
  for (const int m : kRows)
    for (const int n : kColumns) {
      if (m * n < kLeastElements || !is_filled(m, kRowUnit, problem.m.value) ||
          !is_filled(n, kColumnUnit, problem.n.value))
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
          if (warps * parts < kFewestWarps || warps * parts > kMostWarps ||
              (parts > 1 && are_whole))
            continue;
          // Elements of few bits have short rows as they are.
          const bool are_long =
              width == sizeof(double) || has_stored(problem) || m * n < kShortKTiles;
          const int k_bytes = (are_long ? kLine : kLine / 2) / width * parts * width;
          const int least_bytes = std::max(width, kRegisterBytes);  // that a thread copies
          if (std::min(m, n) * k_bytes < kWarp * warps * parts * least_bytes) continue;
          for (const int stages : all_stages)
            look(Tile{.m = m,
                      .n = n,
                      .k_bytes = k_bytes,
                      .groups_m = ways->m,
                      .groups_n = ways->n,
                      .groups_k = parts,
                      .stages = stages});
        }
      }
    }
}

}  // namespace jute::plan
