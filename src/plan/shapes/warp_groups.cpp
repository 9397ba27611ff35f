// As many warps as have work, and as many stages as fit.
#include "plan/shapes/warp_groups.hpp"

#include <algorithm>
#include <bit>

#include "plan/chip/line.hpp"
#include "plan/shapes/warps_of_tile.hpp"

namespace jute::plan {
namespace {

constexpr int kWarpGroupStages = 8;
constexpr int kWarpGroupMostWarps = 8, kOfWarp = 128;  // elements of D that are worth a warp
int warp_group_stages(int m, int n, const DeviceInfo& device) {
  return std::min(kWarpGroupStages,
                  static_cast<int>(device.smem_bytes_per_block / ((m + n) * kLine)));
}

/// Elements that a box of an operand along M or N has at least.
int box_of(const KernelMatrix& matrix) { return kLine / width_bytes(matrix.type); }

}  // namespace

WarpGroupWork warp_group_work(int m, int n, const KernelProblem& problem,
                              const DeviceInfo& device) {
  const auto work = static_cast<std::uint64_t>(m) * static_cast<std::uint64_t>(n) / kOfWarp;
  const int most = std::clamp(static_cast<int>(std::bit_floor(work)), 2, kWarpGroupMostWarps);
  WarpGroupWork best{m, n, kLine / width_of(problem), 1, 1, warp_group_stages(m, n, device)};
  for (int warps = most; warps > 1 && best.warps() == 1; warps /= 2)
    if (const std::optional<WarpsOfTile> ways = warps_of_tile(m, n, warps)) {
      best.warps_m = ways->m;
      best.warps_n = ways->n;
    }
  return best;
}

WarpGroupWork warp_group_work(const Tile& tile, const KernelProblem& problem,
                              const DeviceInfo& device) {
  return {tile.m,
          tile.n,
          tile.k_bytes / width_of(problem),
          tile.groups_m,
          tile.groups_n,
          std::min(tile.stages, warp_group_stages(tile.m, tile.n, device))};
}

Tile warpgroup_tile(const WarpGroupWork& work) {
  return {.m = work.m,
          .n = work.n,
          .k_bytes = kLine,
          .groups_m = work.warps_m,
          .groups_n = work.warps_n,
          .stages = work.stages,
          .cluster = {1, 1},
          .first_stages = FirstStages::by_initialiser};
}

bool is_whole(const KernelMatrix& matrix, int tile) {
  return matrix.major == Major::k || tile % box_of(matrix) == 0;
}

bool is_filled(int tile, const KernelMatrix& matrix, int unit, Index extent) {
  const int least = matrix.major == Major::k ? unit : std::max(unit, box_of(matrix));
  return tile == least || tile < 2 * std::max<Index>(extent, 1);
}

bool are_types_of_warp_groups(DType type) { return type == DType::tf32 || type == DType::f64; }

bool suits_warp_groups(const KernelProblem& problem, const DeviceInfo& device) {
  constexpr int kFirstArch = 90, kNextArch = 100;  // hardware: TMA, as measured
  const int arch = device.arch.number;
  const bool is_across = problem.a.major == Major::mn || problem.b.major == Major::mn;
  const bool suits =
      are_types_of_warp_groups(problem.a.type) && (problem.a.type == DType::f64 || is_across);
  return arch >= kFirstArch && arch < kNextArch && suits && problem.products.empty();
}

bool is_warp_group(const GemmStep& step) {
  return step.family == Family::warp_groups && are_types_of_warp_groups(step.a.type);
}

}  // namespace jute::plan
