#pragma once
// Multiply-adds of threads from stages of shared memory that all of them keep filling: what each
// thread of a block holds of D.

#include <algorithm>
#include <array>

#include "plan/chip/warp.hpp"
#include "plan/shapes/tile_block.hpp"
#include "plan/values/block_threads.hpp"
#include "plan/values/candidates.hpp"
#include "plan/values/kernel_problem.hpp"
#include "plan/values/tile_counts.hpp"

namespace jute::plan {

inline constexpr int kThreadTileVector = 4;  ///< neighbours that a thread reads at once

/// Of a thread.
[[nodiscard]] inline int rows_of(const Tile& tile) { return tile.vector * tile.repeat_m; }
[[nodiscard]] inline int columns_of(const Tile& tile) { return tile.vector * tile.repeat_n; }
/// Of a block that take the same part of K.
[[nodiscard]] inline int threads_of_part(const Tile& tile) {
  return tile.m / rows_of(tile) * (tile.n / columns_of(tile));
}

/// What the block tile is of the problem's literal extents, wide enough for a warp.
[[nodiscard]] TileShape open_tile(const KernelProblem& problem, const Tile& mine);
/// As many neighbours as an access and a thread's share of the tile have.
[[nodiscard]] BothAccesses thread_tile_accesses(const Tile& tile, const KernelProblem& problem);
[[nodiscard]] Block thread_tile_block(const Tile& tile, const BothAccesses& accesses,
                                      const KernelProblem& problem);

/// Does cp.async bring the problem's operands to shared memory as they lie?
[[nodiscard]] bool may_be_staged(const KernelProblem& problem, const DeviceInfo& device);

/// A k-tile.
struct ThreadTileDepth {
  int k, stages;
};
/// bench/results/2026-11-27-f32-by-threads.md.
inline constexpr std::array kThreadTileDepths{ThreadTileDepth{8, 4}, ThreadTileDepth{16, 3},
                                              ThreadTileDepth{16, 4}, ThreadTileDepth{32, 3},
                                              ThreadTileDepth{64, 3}};

/// Calls `look` with each k-tile, of elements of so many bytes, that a block's threads share out,
/// and every part of which has an even number of k-steps.
template <class Look>
void for_depths(Tile tile, int width, const Look& look) {
  constexpr int kDeepest = 32;
  const int threads = threads_of_part(tile) * tile.groups_k;
  for (const ThreadTileDepth& depth : kThreadTileDepths) {
    // Parts of K are as deep as the k-tiles of those that do not share it.
    if (depth.k % (2 * tile.groups_k) != 0 || depth.k > kDeepest * tile.groups_k) continue;
    if (tile.m * depth.k % threads != 0 || tile.n * depth.k % threads != 0) continue;
    tile.k_bytes = depth.k * width;
    tile.stages = depth.stages;
    look(tile);
  }
}

/// Calls `look` with every sensible tile.
template <class Look>
void for_thread_tiles(const KernelProblem& problem, const DeviceInfo& device, const Look& look) {
  constexpr std::array kExtents{8, 16, 32, 64, 128, 256};
  constexpr std::array kRepeats{1, 2};
  constexpr std::array kParts{1, 2, 4, 8};
  constexpr int kEnoughBlocks = 4;  // of an SM, whose threads need not share out K as well
  constexpr int kFewestThreads = 64, kMostThreads = 256;
  // Less than a half of the extent lies past the edge.
  const auto is_filled = [&](int extent, Index own) {
    return extent == kExtents.front() || extent < 2 * std::max<Index>(own, 1);
  };
  for (const int m : kExtents)
    for (const int n : kExtents) {
      if (!is_filled(m, problem.m.value) || !is_filled(n, problem.n.value)) continue;
      const double blocks = tiles_of({m, n}, problem.m.value, problem.n.value, problem.batch.value);
      const bool are_whole =
          blocks > kEnoughBlocks * device.sm_count || !adds_as_one(problem.accumulate);
      for (const int repeat_m : kRepeats)
        for (const int repeat_n : kRepeats) {
          Tile tile{.m = m,
                    .n = n,
                    .repeat_m = repeat_m,
                    .repeat_n = repeat_n,
                    .vector = kThreadTileVector};
          const int of_part = threads_of_part(tile);
          if (of_part % kWarp != 0) continue;
          for (const int parts_of_k : kParts) {
            const int threads = of_part * parts_of_k;
            if (are_whole && parts_of_k > 1) break;
            if (threads < kFewestThreads || threads > kMostThreads) continue;
            tile.groups_k = parts_of_k;
            for_depths(tile, width_bytes(problem.a.type), look);
          }
        }
    }
}

}  // namespace jute::plan
