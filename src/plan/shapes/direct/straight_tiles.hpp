#pragma once
// Instructions of warps that load their own fragments: few tiles, and groups that share out K.
#include <vector>

#include "plan/shapes/direct/straight_form.hpp"
#include "plan/shapes/tile_block.hpp"
#include "plan/values/candidates.hpp"
#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

/// The tile with the extents that follow from what its warps have.
[[nodiscard]] Tile covered_by_warps(Tile tile, const MmaAtom& atom, const KernelProblem& problem);
[[nodiscard]] BothAccesses straight_accesses(const Tile& tile, const MmaAtom& atom,
                                             const KernelProblem& problem);
/// The Block of a tile that has its extents.
[[nodiscard]] Block straight_block(const Tile& tile, const BothAccesses& accesses,
                                   const KernelProblem& problem, const DeviceInfo& device);

/// Few enough products that it is worth a look?
[[nodiscard]] bool may_be_straight(const KernelProblem& problem, const DeviceInfo& device);
/// The tiles that suit the problem and the chip, with the atom's shape for units; of shared ones
/// the short list. Where some read once what is stored of the larger operand, these alone.
[[nodiscard]] std::vector<Tile> straight_tiles(const MmaAtom& atom, const KernelProblem& problem,
                                               const DeviceInfo& device, Specialize specialize);

[[nodiscard]] StraightForm straight_form(const Tile& tile, const MmaAtom& atom);

}  // namespace jute::plan
