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

/// The tile of as many warps as have work, each with the fewest rows and columns to read.
[[nodiscard]] Tile warp_group_tile(int m, int n, const DeviceInfo& device);
/// As many as shared memory holds.
[[nodiscard]] int warp_group_stages(int m, int n, const DeviceInfo& device);
[[nodiscard]] Block warp_group_block(const Tile& tile, const KernelProblem& problem);

[[nodiscard]] bool are_types_of_warp_groups(DType type);
/// Do the chip and the types suit them?
[[nodiscard]] bool suits_warp_groups(const KernelProblem& problem, const DeviceInfo& device);

/// Are boxes of an operand's tile whole?
[[nodiscard]] bool is_whole(const KernelMatrix& matrix, int tile);
/// Has the problem more than a smaller tile? That would have no more blocks.
[[nodiscard]] bool is_filled(int tile, const KernelMatrix& matrix, int unit, Index extent);

/// Calls `look` with every sensible tile that has enough stages.
void for_warp_groups(const KernelProblem& problem, const DeviceInfo& device,
                     const LookAtTile& look);

/// Does the model speak of the step?
[[nodiscard]] bool is_warp_group(const GemmStep& step);

}  // namespace jute::plan
