#pragma once
// Multiply-adds of threads straight from global memory: what each thread of a block holds of D.
#include "plan/shapes/direct/straight_form.hpp"
#include "plan/shapes/tile_block.hpp"
#include "plan/values/candidates.hpp"
#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

/// The tile with the extents that follow from what its lanes have.
[[nodiscard]] Tile covered_by_lanes(Tile tile, const KernelProblem& problem);
[[nodiscard]] BothAccesses lane_accesses(const Tile& tile, const KernelProblem& problem);
/// The Block of a tile that has its extents.
[[nodiscard]] Block lane_block(const Tile& tile, const BothAccesses& accesses,
                               const KernelProblem& problem, const DeviceInfo& device);

/// Atoms, permutation and tile: a thread holds neighbours along M or N where an operand has them
/// side by side in memory, and takes neighbours along K together.
[[nodiscard]] StraightForm lane_form(const Tile& tile, const KernelProblem& problem);

/// Calls `look` with every sensible tile.
void for_lane_tiles(const KernelProblem& problem, const DeviceInfo& device, const LookAtTile& look);

}  // namespace jute::plan
