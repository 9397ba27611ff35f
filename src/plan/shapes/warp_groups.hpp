#pragma once
// Tiles of warps whose tensor-core instructions read as it lies what a producer loads, where those
// of warpgroups need it along K or do not multiply the types.
#include <jute/plan/cost/prediction.hpp>

#include <vector>

#include "plan/shapes/ranked_tiles.hpp"

namespace jute::plan {

/// Fastest first by the model, each with so many slices of K as suit it, whether TMA reads the
/// operands as they lie or copies of them. None where the chip or the types do not suit them.
[[nodiscard]] std::vector<RankedTile> ranked_warp_groups(const KernelProblem& problem,
                                                         const DeviceInfo& device, size_t most);

/// Of such a candidate, with as many; none of others.
[[nodiscard]] std::optional<double> warp_group_clocks(const Candidate& candidate,
                                                      const KernelProblem& problem,
                                                      const DeviceInfo& device);

/// Does the model speak of the step?
[[nodiscard]] bool is_warp_group(const GemmStep& step);
[[nodiscard]] Prediction warp_group_prediction(const GemmStep& step, const DeviceInfo& device);

}  // namespace jute::plan
