#pragma once
// Few rows, or few columns, of D from a large operand along M or N, rows of which begin anywhere.
#include <vector>

#include "plan/shapes/direct/straight_form.hpp"
#include "plan/shapes/tile_block.hpp"
#include "plan/values/candidates.hpp"
#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

inline constexpr int kGroupsOfLines =
    8;  ///< of an instruction of tensor cores: lanes with other lines
inline constexpr int kRowsOfLineAtom = 4;  ///< of one lane, along K

/// The tile with the extents that follow from what its lanes have.
[[nodiscard]] Tile covered_by_lines(Tile tile, const MmaAtom& atom, const KernelProblem& problem);
/// The Block of a tile that has its extents.
[[nodiscard]] Block line_block(const Tile& tile, MmaForm form, const KernelProblem& problem);

/// The operands by what they are here.
struct LineSides {
  Operand streamed;
  const KernelMatrix &lines, &kept;
  Index line_count, row_count;
};
[[nodiscard]] LineSides line_sides(const KernelProblem& problem);

/// May such tiles suit the problem? Cheap, as it is asked of every problem.
[[nodiscard]] bool may_be_lines(const KernelProblem& problem, const Config& config);

/// Tensor cores where the chip has them for the types, and multiply-adds of the very few rows.
[[nodiscard]] std::vector<const MmaAtom*> atoms_of_lines(const std::vector<MmaAtom>& atoms,
                                                         const KernelProblem& problem);
/// Every sensible size for the atom that a block and the grid have room for.
[[nodiscard]] std::vector<Tile> line_tiles(const MmaAtom& atom, const KernelProblem& problem,
                                           const DeviceInfo& device);

/// Atoms, permutation and tile: neighbours among lines are chunks of a thread, and rows of a warp
/// lie as many apart along K as a chunk has elements, so that all begin alike.
[[nodiscard]] StraightForm line_form(const Tile& tile, const MmaAtom& atom,
                                     const KernelProblem& problem);

}  // namespace jute::plan
