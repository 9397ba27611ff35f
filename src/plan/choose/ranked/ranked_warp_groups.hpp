#pragma once
// Tiles that a producer loads and warps multiply, fastest first.
#include <vector>

#include "plan/choose/ranked/ranked_tiles.hpp"

namespace jute::plan {

/// Fastest first by the model, each with so many slices of K as suit it, whether TMA reads the
/// operands as they lie or copies of them. None where the chip or the types do not suit them.
[[nodiscard]] std::vector<RankedTile> ranked_warp_groups(const KernelProblem& problem,
                                                         const DeviceInfo& device, size_t most);

}  // namespace jute::plan
