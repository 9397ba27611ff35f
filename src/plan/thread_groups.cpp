// Which tile suits a problem.
#include "plan/thread_groups.hpp"

#include <algorithm>
#include <cmath>

#include "plan/parameters.hpp"

namespace jute::plan {
namespace {

// Each thread computes 8 rows of 8 columns; 16 columns were 3 to 5 % slower on an H200.
constexpr GroupTile kTile{128, 128, 128, 4, 2, 6, {1, 1}};
constexpr int kFirstArch = 90, kNextArch = 100;
constexpr int kRowBytes = 16;  // that TMA reads begin at
constexpr int kFewestStages = 3;
// Clocks of a block's multiply-adds for each k, and for a tile however long K is: measured.
constexpr double kClocksOfK = 166, kClocksOfTile = 3000;
// In which a block leaves the sums of its slice, and in which the last one adds those of one.
constexpr double kLeave = 6780, kAdd = 1190;
constexpr int kManySlices = 128;
constexpr Index kLeastOfSlice = 64;  // of K
constexpr double kMostSums = 1.25;   // of the cache: beyond, memory moves all of them twice

double clocks(double tiles, double k, const GroupTile& tile, const DeviceInfo& device) {
  const bool is_cut = tile.slices > 1;
  const double leave = is_cut ? kLeave : 0, meet = is_cut ? kAdd * tile.slices : 0;
  const double rounds = std::ceil(tiles * tile.slices / device.sm_count);
  return rounds * (k / tile.slices * kClocksOfK + kClocksOfTile + leave) + meet;
}

/// Slices of K that fill the last round of blocks, or the only one.
int slices_for(const GroupTile& tile, const KernelProblem& problem, const DeviceInfo& device) {
  constexpr double kWorthIt = 0.97;
  if (problem.accumulate != DType::f32) return 1;
  const double tiles =
      tiles_of({tile.m, tile.n}, problem.m.value, problem.n.value, problem.batch.value);
  const auto k = static_cast<double>(problem.k.value);
  const double sums = tiles * tile.m * tile.n * width_bytes(problem.accumulate);
  GroupTile best = tile;
  double least = kWorthIt * clocks(tiles, k, tile, device);
  for (GroupTile cut = tile; cut.slices < kManySlices;) {
    ++cut.slices;
    if (problem.k.value < cut.slices * kLeastOfSlice ||
        cut.slices * sums > kMostSums * static_cast<double>(device.l2_bytes))
      break;
    if (const double own = clocks(tiles, k, cut, device); own < least) {
      least = own;
      best = cut;
    }
  }
  return best.slices;
}

}  // namespace

std::optional<GroupTile> thread_groups(const KernelProblem& problem, const DeviceInfo& device,
                                       const Config& config) {
  const int arch = device.arch.number;
  if (arch < kFirstArch || arch >= kNextArch) return std::nullopt;
  if (std::min(problem.a.access_bytes, problem.b.access_bytes) < kRowBytes) return std::nullopt;
  if (kFewestStages * (kTile.m + kTile.n) * kTile.k_bytes > device.smem_bytes_per_block)
    return std::nullopt;
  const bool is_half_full = 2 * problem.m.value > kTile.m && 2 * problem.n.value > kTile.n &&
                            problem.k.value >= kTile.k_bytes / width_bytes(problem.a.type);
  if (!config.main_loop && !is_half_full) return std::nullopt;
  GroupTile tile = kTile;
  tile.slices = slices_for(tile, problem, device);
  return tile;
}

}  // namespace jute::plan
