// The table of tiles, and their order for a problem.
#include "plan/thread_groups.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace jute::plan {
namespace {

// Each thread computes 8 rows of 16 columns, or of 8.
constexpr std::array kTiles{
    GroupTile{128, 256, 128, 4, 2, 4, {1, 1}},
    GroupTile{128, 128, 128, 4, 2, 6, {1, 1}},
};
constexpr int kFirstArch = 90, kNextArch = 100;
constexpr int kRowBytes = 16;  // that TMA reads begin at
constexpr int kLeastStages = 3;

}  // namespace

std::vector<GroupTile> thread_groups(const KernelProblem& problem, const DeviceInfo& device,
                                     const Config& config) {
  std::vector<GroupTile> tiles;
  const int arch = device.arch.number;
  if (arch < kFirstArch || arch >= kNextArch) return tiles;
  if (std::min(problem.a.access_bytes, problem.b.access_bytes) < kRowBytes) return tiles;
  const auto fits = [&](const GroupTile& tile) {
    return kLeastStages * (tile.m + tile.n) * tile.k_bytes <= device.smem_bytes_per_block;
  };
  const auto is_half_full = [&](const GroupTile& tile) {
    return 2 * problem.m.value > tile.m && 2 * problem.n.value > tile.n &&
           problem.k.value >= tile.k_bytes / width_bytes(problem.a.type);
  };
  for (const GroupTile& tile : kTiles)
    if (fits(tile) && (config.main_loop || is_half_full(tile))) tiles.push_back(tile);
  std::ranges::stable_sort(tiles, {}, [&](const GroupTile& tile) {
    // Extents of any size: as a number that cannot overflow.
    const auto count = [](Index extent, int of) {
      return static_cast<double>(ceil_div(extent, Index{of}));
    };
    const double all = count(problem.m.value, tile.m) * count(problem.n.value, tile.n) *
                       static_cast<double>(problem.batch.value);
    return std::ceil(all / std::max(device.sm_count, 1)) * tile.m * tile.n;
  });
  return tiles;
}

}  // namespace jute::plan
