#pragma once
// Tiles of warps that load their own fragments, fastest first.
#include <vector>

#include "plan/values/candidates.hpp"
#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

/// The tiles that suit the problem, fastest first by the model, with the atom's shape for units; of
/// shared ones the short list.
[[nodiscard]] std::vector<RankedTile> ranked_straight_tiles(
    const MmaAtom& atom, const KernelProblem& problem, const DeviceInfo& device, size_t most,
    Specialize specialize = Specialize::usual);

}  // namespace jute::plan
