#pragma once
// Tiles of warps whose threads multiply by themselves what a producer loads.
#include <jute/plan/cost/prediction.hpp>

#include <optional>
#include <vector>

#include "plan/shapes/ranked_tiles.hpp"
#include "plan/values/candidates.hpp"

namespace jute::plan {

/// Fastest first by the model, each with so many slices of K as suit it, whether TMA reads the
/// operands as they lie or copies of them; the caller's tile alone where there is one. None where
/// the chip does not suit them.
[[nodiscard]] std::vector<RankedTile> ranked_thread_groups(
    const KernelProblem& problem, const DeviceInfo& device, size_t most,
    const std::optional<TileShape>& tile = std::nullopt);

/// Of a step without tensor cores whose tiles a producer loads.
[[nodiscard]] Prediction thread_group_prediction(const GemmStep& step, const DeviceInfo& device);

}  // namespace jute::plan
