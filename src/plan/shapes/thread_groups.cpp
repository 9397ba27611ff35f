// Deals a tile to the warps that multiply it.
#include "plan/shapes/thread_groups.hpp"

#include <algorithm>
#include <array>

#include "plan/chip/line.hpp"
#include "plan/chip/warp.hpp"
#include "plan/shapes/thread_tiles.hpp"
#include "plan/shapes/tile_block.hpp"
#include "plan/shapes/tile_boxes.hpp"

namespace jute::plan {
namespace {

constexpr int kThreadsM = 4, kThreadsN = 8;  // of a warp
constexpr int kMostGroupExtent = 128;

/// Warps along M and N with which each thread has the fewest rows and columns to read.
struct ThreadGroupWarps {
  int m, n;
};

ThreadGroupWarps warps_for(int m, int n) {
  constexpr std::array kWays{ThreadGroupWarps{4, 2}, ThreadGroupWarps{2, 4}, ThreadGroupWarps{8, 1},
                             ThreadGroupWarps{1, 8}};
  const auto reads = [&](const ThreadGroupWarps& warps) {
    const int across_m = kThreadsM * warps.m, across_n = kThreadsN * warps.n;
    const bool is_whole = m % across_m == 0 && n % across_n == 0;
    return is_whole ? m / across_m + n / across_n : kMostGroupExtent * 2;
  };
  return *std::ranges::min_element(kWays, {}, reads);
}

}  // namespace

Block thread_group_block(const Tile& tile, const KernelProblem& problem) {
  const TileShape shape{tile.m, tile.n, tile.k_bytes / width_bytes(problem.a.type)};
  const int rows = tile.m / (kThreadsM * tile.groups_m),
            columns = tile.n / (kThreadsN * tile.groups_n);
  Block block = block_of_tile(shape, problem);
  block.warps = tile.groups_m * tile.groups_n;
  block.threads = kWarp * block.warps;
  block.most_resident = 1;
  block.accesses = block.warps * (rows + columns) * shape.k / kThreadTileVector;
  block.copies = tile.m + tile.n;
  block.boxes = boxes_of_tile(shape, problem);
  block.maps = maps_of_group(problem);
  block.ahead = kThreadGroupStages - 1;
  return block;
}

Tile thread_group_tile(int m, int n) {
  const ThreadGroupWarps warps = warps_for(m, n);
  return {.m = m,
          .n = n,
          .k_bytes = kLine,
          .groups_m = warps.m,
          .groups_n = warps.n,
          .stages = kThreadGroupStages,
          .cluster = {1, 1},
          .first_stages = FirstStages::by_initialiser};
}

int groups_of_threads(int threads, int mode) {
  return std::max(threads / (mode == 0 ? kThreadsM : kThreadsN), 1);
}

bool suits_thread_groups(const DeviceInfo& device) {
  constexpr int kFirstArch = 90, kNextArch = 100;  // hardware: TMA, as measured
  return device.arch.number >= kFirstArch && device.arch.number < kNextArch;
}

}  // namespace jute::plan
