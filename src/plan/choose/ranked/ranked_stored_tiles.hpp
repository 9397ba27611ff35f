#pragma once
// Tiles of kernels whose instructions take an operand from registers, where threads convert it.
#include "plan/choose/ranked/ranked_tiles.hpp"

#include <vector>

namespace jute::plan {

/// Tiles whose A instructions take from registers, the quickest first: what a thread sums leaves
/// room for that. Of few rows those that read A once.
[[nodiscard]] std::vector<RankedTile> ranked_stored_tiles(const KernelProblem& problem,
                                                          const DeviceInfo& device,
                                                          const Config& config, size_t most);

}  // namespace jute::plan
