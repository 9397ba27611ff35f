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

/// Rows of a thread.
[[nodiscard]] inline int rows_of(const Tile& tile) { return tile.vector * tile.repeat_m; }
[[nodiscard]] inline int columns_of(const Tile& tile) { return tile.vector * tile.repeat_n; }
/// Threads of a block that take the same part of K.
[[nodiscard]] inline int threads_of_part(const Tile& tile) {
  return tile.m / rows_of(tile) * (tile.n / columns_of(tile));
}

/// The block tile by the problem's literal extents, wide enough for a warp.
[[nodiscard]] TileShape open_tile(const KernelProblem& problem, const Tile& mine);
/// As many neighbours as an access and a thread's share of the tile have.
[[nodiscard]] BothAccesses thread_tile_accesses(const Tile& tile, const KernelProblem& problem);
[[nodiscard]] Block thread_tile_block(const Tile& tile, const BothAccesses& accesses,
                                      const KernelProblem& problem);

/// Does cp.async bring the problem's operands to shared memory as they lie?
[[nodiscard]] bool may_be_staged(const KernelProblem& problem, const DeviceInfo& device);

/// Calls `look` with every sensible tile.
void for_thread_tiles(const KernelProblem& problem, const DeviceInfo& device,
                      const LookAtTile& look);

}  // namespace jute::plan
