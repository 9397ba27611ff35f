#pragma once
// Instructions of warps that multiply stages which all of them keep filling: where no warpgroup has
// an instruction for the operands as they lie.
#include <jute/plan/values/block.hpp>

#include <algorithm>
#include <array>
#include <span>

#include "plan/chip/line.hpp"
#include "plan/chip/warp.hpp"
#include "plan/shapes/thread_tiles.hpp"
#include "plan/shapes/warps_of_tile.hpp"
#include "plan/values/block_threads.hpp"
#include "plan/values/candidates.hpp"
#include "plan/values/kernel_problem.hpp"
#include "plan/values/tile_counts.hpp"

namespace jute::plan {

/// Hopper and chips after it, up to sm_120, convert 8-bit floats before they multiply them. Where K
/// is one short k-tile D decides, and nothing is to be loaded ahead.
[[nodiscard]] bool suits_warp_tiles(const KernelProblem& problem, const DeviceInfo& device);

[[nodiscard]] Block warp_tile_block(const Tile& tile, Transfer transfer,
                                    const KernelProblem& problem);
/// Has all of K one instruction of so much? A k-tile that comes through registers is that one then.
[[nodiscard]] inline bool is_one_instruction(Family family, int k, const KernelProblem& problem) {
  return family == Family::warps_registers && problem.k.baked && problem.k.value <= k;
}
/// Atoms of less than a warp that one has beside each other along M and N; of others one.
[[nodiscard]] WarpsOfTile atoms_of_warp(const MmaAtom& atom);

/// Registers of a sum.
[[nodiscard]] inline int sum_registers(const KernelProblem& problem) {
  return problem.a.type == DType::f64 ? 2 : 1;
}
/// Do shared memory and registers hold it?
[[nodiscard]] bool fits_block(const Block& block, const DeviceInfo& device);

/// Is less than a half of the extent past the edge?
[[nodiscard]] inline bool is_filled(int extent, int unit, Index own) {
  return extent == unit || extent < 2 * std::max<Index>(own, 1);
}

/// How operands that lie like that come to such tiles.
[[nodiscard]] inline Family warp_tiles_of(const KernelProblem& problem, const DeviceInfo& device) {
  return may_be_staged(problem, device) ? Family::warps_async : Family::warps_registers;
}

/// Calls `look` with every sensible tile.
template <class Look>
void for_warp_tiles(const KernelProblem& problem, const DeviceInfo& device, const Look& look) {
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
  // What is on its way takes registers as well.
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
          // What is stored in few bits has short rows as it is.
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
