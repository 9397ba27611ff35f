// Threads along M and N, and what each of them copies.
#include "plan/shapes/thread_tiles.hpp"

#include <jute/base/arch_feature.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>

#include "plan/chip/line.hpp"

namespace jute::plan {
namespace {

constexpr int kPad = 4;  // elements between rows of a stage whose operand lies along K

Accesses thread_tile_side(const KernelMatrix& matrix, int tile_mn, int tile_k, int threads) {
  const int most = matrix.major == Major::k ? 1 : elements_in(matrix.access_bytes, matrix.type);
  const int mine = tile_mn * tile_k / threads;
  return {.loads = static_cast<double>(mine) / std::min(most, mine), .elements = mine};
}

/// The largest unless a literal extent fits a smaller power of two.
int tile_extent(const Extent& extent, int largest) {
  constexpr int kLeast = 32;
  if (!extent.baked || extent.value >= largest) return largest;
  const auto needed = static_cast<std::uint64_t>(std::max<Index>(extent.value, 1));
  return std::min(std::max(static_cast<int>(std::bit_ceil(needed)), kLeast), largest);
}

}  // namespace

TileShape open_tile(const KernelProblem& problem, const Tile& mine) {
  TileShape tile{tile_extent(problem.m, mine.m), tile_extent(problem.n, mine.n),
                 mine.k_bytes / width_bytes(problem.a.type)};
  while (tile.m / rows_of(mine) * (tile.n / columns_of(mine)) < kWarp) tile.n *= 2;
  return tile;
}

BothAccesses thread_tile_accesses(const Tile& tile, const KernelProblem& problem) {
  const int threads = threads_of_part(tile) * tile.groups_k;
  const int k = tile.k_bytes / width_bytes(problem.a.type);
  return {thread_tile_side(problem.a, tile.m, k, threads),
          thread_tile_side(problem.b, tile.n, k, threads)};
}

Block thread_tile_block(const Tile& tile, const BothAccesses& accesses,
                        const KernelProblem& problem) {
  // Registers that a thread has beside sums and fragments: bench/results/2026-11-29-one-law.md.
  constexpr double kOwnOfThread = 45;
  const int width = width_bytes(problem.a.type), k = tile.k_bytes / width;
  const int rows = rows_of(tile), columns = columns_of(tile);
  Block block = block_of_tile({tile.m, tile.n, k}, problem);
  block.threads = threads_of_part(tile) * tile.groups_k;
  block.warps = block.threads / kWarp;
  block.registers = kOwnOfThread + rows * columns + 2 * (rows + columns);
  const Index stages = Index{tile.m + tile.n + 2 * kPad} * k * tile.stages,
              sums = Index{tile.m} * tile.n * (tile.groups_k - 1);
  block.smem_bytes = static_cast<double>(width * std::max(stages, sums));
  block.accesses = block.warps * (rows + columns) * k / tile.groups_k / kThreadTileVector;
  // Copies across K go element by element to rows of their own.
  const auto copied = [](const Accesses& some, const KernelMatrix& matrix) {
    return some.loads * (matrix.major == Major::k ? 2 : 1);
  };
  block.copies = block.warps * (copied(accesses.a, problem.a) + copied(accesses.b, problem.b));
  block.ahead = tile.stages - 1;
  block.parts = tile.groups_k;
  return block;
}

bool may_be_staged(const KernelProblem& problem, const DeviceInfo& device) {
  return provides(device.arch, ArchFeature::async_copies) &&
         std::min(problem.a.access_bytes, problem.b.access_bytes) >= kLeastAsync;
}

namespace {

/// A k-tile.
struct ThreadTileDepth {
  int k, stages;
};
/// bench/results/2026-11-27-f32-by-threads.md.
constexpr std::array kThreadTileDepths{ThreadTileDepth{8, 4}, ThreadTileDepth{16, 3},
                                       ThreadTileDepth{16, 4}, ThreadTileDepth{32, 3},
                                       ThreadTileDepth{64, 3}};

/// Calls `look` with each k-tile, of elements of so many bytes, that a block's threads share out,
/// and every part of which has an even number of k-steps.
void for_depths(Tile tile, int width, const LookAtTile& look) {
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

}  // namespace

void for_thread_tiles(const KernelProblem& problem, const DeviceInfo& device,
                      const LookAtTile& look) {
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
