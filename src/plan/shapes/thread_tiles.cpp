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

/// As many neighbours as an access and a thread's share of the tile have.
CopiedByThreads thread_tile_copies(const KernelMatrix& matrix, int tile_mn, int tile_k,
                                   int threads) {
  const bool across = matrix.major == Major::k;
  const int most = across ? 1 : elements_in(matrix.access_bytes, matrix.type);
  const int mine = tile_mn * tile_k / threads;
  return {static_cast<double>(mine) / std::min(most, mine), across};
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

Index smem_bytes(const ThreadTileWork& work) {
  const Index stages = Index{work.tile.m + work.tile.n + 2 * kPad} * work.tile.k * work.stages;
  return work.width * std::max(stages, Index{work.tile.m} * work.tile.n * (work.parts_of_k - 1));
}

ThreadTileWork thread_tile_work(const Tile& tile, const KernelProblem& problem) {
  const int threads = threads_of_part(tile) * tile.groups_k;
  const int width = width_bytes(problem.a.type), k = tile.k_bytes / width;
  return {.tile = {tile.m, tile.n, k},
          .threads = threads,
          .rows = rows_of(tile),
          .columns = columns_of(tile),
          .parts_of_k = tile.groups_k,
          .stages = tile.stages,
          .width = width,
          .a = thread_tile_copies(problem.a, tile.m, k, threads),
          .b = thread_tile_copies(problem.b, tile.n, k, threads)};
}

bool may_be_staged(const KernelProblem& problem, const DeviceInfo& device) {
  return provides(device.arch, ArchFeature::async_copies) &&
         std::min(problem.a.access_bytes, problem.b.access_bytes) >= kLeastAsync;
}

}  // namespace jute::plan
