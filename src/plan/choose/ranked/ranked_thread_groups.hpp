#pragma once
// Tiles that a producer loads and threads multiply, fastest first.
#include <optional>
#include <vector>

#include "plan/choose/ranked/ranked_tiles.hpp"

namespace jute::plan {

/// Fastest first by the model, each with so many slices of K as suit it, whether TMA reads the
/// operands as they lie or copies of them; the caller's tile alone where there is one. None where
/// the chip does not suit them.
[[nodiscard]] std::vector<RankedTile> ranked_thread_groups(
    const KernelProblem& problem, const DeviceInfo& device, size_t most,
    const std::optional<TileShape>& tile = std::nullopt);

}  // namespace jute::plan
