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

}  // namespace jute::plan
