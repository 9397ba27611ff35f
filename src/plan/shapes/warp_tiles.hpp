#pragma once
// Instructions of warps that multiply stages which all of them keep filling: where no warpgroup has
// an instruction for the operands as they lie.
#include <jute/plan/values/block.hpp>

#include <algorithm>
#include <array>
#include <span>

#include "plan/chip/line.hpp"
#include "plan/chip/warp.hpp"
#include "plan/shapes/thread_tiles.hpp"
#include "plan/shapes/warps_of_tile.hpp"
#include "plan/values/block_threads.hpp"
#include "plan/values/candidates.hpp"
#include "plan/values/kernel_problem.hpp"
#include "plan/values/tile_counts.hpp"

namespace jute::plan {

/// Hopper and chips after it, up to sm_120, convert 8-bit floats before they multiply them. Where K
/// is one short k-tile D decides, and nothing is to be loaded ahead.
[[nodiscard]] bool suits_warp_tiles(const KernelProblem& problem, const DeviceInfo& device);

[[nodiscard]] Block warp_tile_block(const Tile& tile, Transfer transfer,
                                    const KernelProblem& problem);
/// Has all of K one instruction of so much? A k-tile that comes through registers is that one then.
[[nodiscard]] inline bool is_one_instruction(Family family, int k, const KernelProblem& problem) {
  return family == Family::warps_registers && problem.k.baked && problem.k.value <= k;
}
/// Atoms of less than a warp that one has beside each other along M and N; of others one.
[[nodiscard]] WarpsOfTile atoms_of_warp(const MmaAtom& atom);

/// Registers of a sum.
[[nodiscard]] inline int sum_registers(const KernelProblem& problem) {
  return problem.a.type == DType::f64 ? 2 : 1;
}

/// Is less than a half of the extent past the edge?
[[nodiscard]] inline bool is_filled(int extent, int unit, Index own) {
  return extent == unit || extent < 2 * std::max<Index>(own, 1);
}

/// How operands that lie like that come to such tiles.
[[nodiscard]] inline Family warp_tiles_of(const KernelProblem& problem, const DeviceInfo& device) {
  return may_be_staged(problem, device) ? Family::warps_async : Family::warps_registers;
}

/// Calls `look` with every sensible tile.
void for_warp_tiles(const KernelProblem& problem, const DeviceInfo& device, const LookAtTile& look);

}  // namespace jute::plan
