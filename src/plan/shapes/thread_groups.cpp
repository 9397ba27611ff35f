// Deals a tile to the warps that multiply it.
#include "plan/shapes/thread_groups.hpp"

#include <algorithm>
#include <array>

#include "plan/chip/line.hpp"

namespace jute::plan {
namespace {

constexpr int kThreadGroupWarps = 8, kThreadsM = 4, kThreadsN = 8;  // of consumers; of a warp
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

ThreadGroupWork thread_group_work(const Tile& tile, const KernelProblem& problem) {
  return {.m = tile.m,
          .n = tile.n,
          .k = tile.k_bytes / width_bytes(problem.a.type),
          .rows = tile.m / (kThreadsM * tile.groups_m),
          .columns = tile.n / (kThreadsN * tile.groups_n),
          .warps = kThreadGroupWarps};
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

bool suits_thread_groups(const DeviceInfo& device) {
  constexpr int kFirstArch = 90, kNextArch = 100;  // hardware: TMA, as measured
  return device.arch.number >= kFirstArch && device.arch.number < kNextArch;
}

}  // namespace jute::plan
