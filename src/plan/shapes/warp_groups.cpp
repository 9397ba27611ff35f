// As many warps as have work, and as many stages as fit.
#include "plan/shapes/warp_groups.hpp"

#include <algorithm>
#include <bit>

#include "plan/chip/line.hpp"
#include "plan/shapes/tile_block.hpp"
#include "plan/shapes/tile_boxes.hpp"
#include "plan/shapes/warps_of_tile.hpp"

namespace jute::plan {
namespace {

constexpr int kWarpGroupStages = 8;
constexpr int kWarpGroupMostWarps = 8, kOfWarp = 128;  // elements of D that are worth a warp
constexpr int kProducers = 4;                          // warps

/// Elements that a box of an operand along M or N has at least.
int box_of(const KernelMatrix& matrix) { return kLine / width_bytes(matrix.type); }

}  // namespace

int warp_group_stages(int m, int n, const DeviceInfo& device) {
  return std::min(kWarpGroupStages,
                  static_cast<int>(device.smem_bytes_per_block / ((m + n) * kLine)));
}

Tile warp_group_tile(int m, int n, const DeviceInfo& device) {
  const auto work = static_cast<std::uint64_t>(m) * static_cast<std::uint64_t>(n) / kOfWarp;
  const int most = std::clamp(static_cast<int>(std::bit_floor(work)), 2, kWarpGroupMostWarps);
  Tile best{.m = m,
            .n = n,
            .k_bytes = kLine,
            .stages = warp_group_stages(m, n, device),
            .cluster = {1, 1},
            .first_stages = FirstStages::by_initialiser};
  for (int warps = most; warps > 1 && best.groups_m * best.groups_n == 1; warps /= 2)
    if (const std::optional<WarpsOfTile> ways = warps_of_tile(m, n, warps)) {
      best.groups_m = ways->m;
      best.groups_n = ways->n;
    }
  return best;
}

Block warp_group_block(const Tile& tile, const KernelProblem& problem) {
  const TileShape shape{tile.m, tile.n, tile.k_bytes / width_of(problem)};
  Block block = block_of_tile(shape, problem);
  block.warps = tile.groups_m * tile.groups_n;
  block.threads = kWarp * (block.warps + kProducers);
  block.smem_bytes = 1.0 * (tile.m + tile.n) * kLine * tile.stages;
  // Along M or N elements are read one by one, in two accesses for each.
  const auto times = [](const KernelMatrix& matrix) { return matrix.major == Major::k ? 1 : 2; };
  const double rows = 1.0 * tile.m / tile.groups_m, columns = 1.0 * tile.n / tile.groups_n;
  block.smem_read = block.warps * (rows * times(problem.a) + columns * times(problem.b)) * shape.k *
                    width_of(problem);
  block.copies = tile.m + tile.n;
  block.boxes = boxes_of_tile(shape, problem);
  block.maps = maps_of_group(problem);
  block.ahead = tile.stages - 1;
  return block;
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

void for_warp_groups(const KernelProblem& problem, const DeviceInfo& device,
                     const LookAtTile& look) {
  constexpr int kMostExtent = 256, kMostRegisters = 128, kWordBytes = 4, kMostWarps = 8;
  constexpr int kAlways = 64, kMostAcross = 4;  // of a tile's longer side
  constexpr int kFewestStages = 3;              // bench/results/2026-11-27-tf32-f64-few-tiles.md
  const auto is_long = [&](int longer, int shorter) {
    return longer > std::max(kAlways, kMostAcross * shorter);
  };
  const int most = kMostWarps * kWarp * kMostRegisters * kWordBytes / width_bytes(problem.a.type);
  for (int m = kRowUnit; m <= kMostExtent; m *= 2)
    for (int n = kColumnUnit; n <= kMostExtent; n *= 2) {
      if (m * n > most || is_long(m, n) || is_long(n, m) || !is_whole(problem.a, m) ||
          !is_whole(problem.b, n) || !is_filled(m, problem.a, kRowUnit, problem.m.value) ||
          !is_filled(n, problem.b, kColumnUnit, problem.n.value))
        continue;
      const Tile tile = warp_group_tile(m, n, device);
      if (tile.stages >= kFewestStages) look(tile);
    }
}

}  // namespace jute::plan
