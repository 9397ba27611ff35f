#pragma once
// Tiles of warps whose tensor-core instructions read as it lies what a producer loads, where those
// of warpgroups need it along K or do not multiply the types.
#include <jute/plan/values/block.hpp>

#include <algorithm>

#include "plan/chip/warp.hpp"
#include "plan/shapes/warps_of_tile.hpp"
#include "plan/values/candidates.hpp"
#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

/// Bytes of an element of an operand.
[[nodiscard]] inline int width_of(const KernelProblem& problem) {
  return width_bytes(problem.a.type);
}

/// Of as many warps as have work, each with the fewest rows and columns to read.
[[nodiscard]] Tile warp_group_tile(int m, int n, const DeviceInfo& device);
/// As many as shared memory holds.
[[nodiscard]] int warp_group_stages(int m, int n, const DeviceInfo& device);
[[nodiscard]] Block warp_group_block(const Tile& tile, const KernelProblem& problem);

[[nodiscard]] bool are_types_of_warp_groups(DType type);
/// Do the chip and the types suit them?
[[nodiscard]] bool suits_warp_groups(const KernelProblem& problem, const DeviceInfo& device);

/// Of an operand's tile, boxes are whole.
[[nodiscard]] bool is_whole(const KernelMatrix& matrix, int tile);
/// Has the problem more than a smaller tile? That would have no more blocks.
[[nodiscard]] bool is_filled(int tile, const KernelMatrix& matrix, int unit, Index extent);

/// Calls `look` with every sensible tile that has enough stages.
template <class Look>
void for_warp_groups(const KernelProblem& problem, const DeviceInfo& device, const Look& look) {
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

/// Does the model speak of the step?
[[nodiscard]] bool is_warp_group(const GemmStep& step);

}  // namespace jute::plan
