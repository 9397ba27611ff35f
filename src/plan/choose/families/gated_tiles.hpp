#pragma once
// Tiles of gated products: those of both halves' product, cut into two.
#include "plan/values/candidates.hpp"
#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

/// The product of both halves as one, by which tiles of a gated one are ranked: it does the same
/// but for what it stores. Of a problem without a gate the problem itself.
[[nodiscard]] KernelProblem whole_product(const KernelProblem& problem);
/// A wish for a tile of D as one for that product.
[[nodiscard]] Config for_whole_product(const Config& config, const KernelProblem& problem);

/// The tile of D for which a block multiplies what the tile holds of the whole product, in units of
/// its instructions. Nobody else has both halves of an element: blocks share no tile of them, and
/// no slices of K. `atom` is the least that the instruction has; of warpgroups it may be wider.
[[nodiscard]] Tile gated_tile(Family family, const Tile& tile, const ShapeMnk& atom,
                              const KernelProblem& problem);

}  // namespace jute::plan
