#pragma once
// Multiply-adds of threads straight from global memory: what each thread of a block holds of D.
#include <algorithm>
#include <array>
#include <vector>

#include "plan/chip/warp.hpp"
#include "plan/shapes/direct/straight_form.hpp"
#include "plan/shapes/tile_block.hpp"
#include "plan/values/candidates.hpp"
#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

/// The tile with the extents that follow from what its lanes have.
[[nodiscard]] Tile covered_by_lanes(Tile tile, const KernelProblem& problem);
[[nodiscard]] BothAccesses lane_accesses(const Tile& tile, const KernelProblem& problem);
/// Of a tile that has its extents.
[[nodiscard]] Block lane_block(const Tile& tile, const BothAccesses& accesses,
                               const KernelProblem& problem, const DeviceInfo& device);

/// Atoms, permutation and tile: a thread holds neighbours along M or N where an operand has them
/// side by side in memory, and takes neighbours along K together.
[[nodiscard]] StraightForm lane_form(const Tile& tile, const KernelProblem& problem);

/// Warps of a block: those that share out K lie in one row and column.
struct LaneTileWarps {
  int m, n, parts_of_k;
};
inline constexpr std::array kLaneTileWarps{
    LaneTileWarps{1, 1, 1}, LaneTileWarps{2, 2, 1}, LaneTileWarps{4, 1, 1}, LaneTileWarps{1, 4, 1},
    LaneTileWarps{1, 1, 2}, LaneTileWarps{2, 1, 2}, LaneTileWarps{1, 2, 2}, LaneTileWarps{1, 1, 4},
    LaneTileWarps{1, 1, 8}, LaneTileWarps{1, 1, 16}};

/// Few groups do not share out a long K, nor many a short one; sums of 16 bits are not added.
[[nodiscard]] bool is_shared_out(int parts_of_k, Index k, bool adds);
/// Neighbours along K that a thread takes: a chunk of what lies along K.
[[nodiscard]] std::vector<int> runs_along_k(const KernelProblem& problem);

/// Bits are written by the byte, which lanes of a warp must have whole between them.
[[nodiscard]] bool has_whole_bytes(const Tile& tile, const KernelProblem& problem);

/// How many rows, or columns, a thread may have of an extent: powers of two; of many tiny products
/// also what makes a tile all of one.
[[nodiscard]] std::vector<int> held_by_lane(Index extent, int lanes, const KernelProblem& problem,
                                            const DeviceInfo& device);

/// Calls `look` with every sensible tile.
template <class Look>
void for_lane_tiles(const KernelProblem& problem, const DeviceInfo& device, const Look& look) {
  constexpr int kFewLanes = 4;
  constexpr int kMostWords = 64;  // of a thread's fragments
  constexpr int kMostSums = 32;   // of a thread, and of one that shares K with others
  constexpr int kMostSharedSums = 16;
  // All of such an extent of a tile has work, but for less than a half of it.
  const auto is_filled = [](int own, int most, Index extent) {
    return own <= most || own < 2 * std::max<Index>(extent, 1);
  };
  const Index m = problem.m.value, n = problem.n.value;
  const Index k = std::max<Index>(problem.k.value, 1);
  const int width = width_bytes(problem.a.type);
  const bool adds = problem.accumulate != DType::f16;
  const std::vector<int> runs = runs_along_k(problem);
  for (int lanes_m = 1; lanes_m <= kWarp; lanes_m *= 2) {
    const int lanes_n = kWarp / lanes_m;
    if (!is_filled(lanes_m, kFewLanes, m) || !is_filled(lanes_n, 2 * kFewLanes, n)) continue;
    const std::vector<int> all_rows = held_by_lane(m, lanes_m, problem, device);
    const std::vector<int> all_columns = held_by_lane(n, lanes_n, problem, device);
    for (const LaneTileWarps& warps : kLaneTileWarps) {
      if (!is_shared_out(warps.parts_of_k, k, adds)) continue;
      for (const int rows : all_rows) {
        if (!is_filled(lanes_m * warps.m * rows, lanes_m, m)) continue;
        for (const int columns : all_columns) {
          if (!is_filled(lanes_n * warps.n * columns, lanes_n, n) ||
              rows * columns > (warps.parts_of_k > 1 ? kMostSharedSums : kMostSums))
            continue;
          for (const int run : runs)
            for (int steps = 1; steps <= 4; steps *= 2) {
              const Index own = Index{run} * steps;
              if ((rows + columns) * own * width > 4 * kMostWords) break;
              if (own * warps.parts_of_k > 2 * k && (steps > 1 || warps.parts_of_k > 1)) break;
              look(Tile{.groups_m = warps.m,
                        .groups_n = warps.n,
                        .groups_k = warps.parts_of_k,
                        .lanes_m = lanes_m,
                        .lanes_n = lanes_n,
                        .repeat_m = rows,
                        .repeat_n = columns,
                        .k_steps = steps,
                        .k_run = run});
            }
        }
      }
    }
  }
}

}  // namespace jute::plan
