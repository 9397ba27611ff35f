#pragma once
// What a warp-specialised kernel is expected to take: cheap numbers that candidates are ranked by.
#include <jute/plan/prediction.hpp>

#include <optional>
#include <vector>

#include "plan/candidates.hpp"

namespace jute::plan {

/// What the model makes of a tile. The constants were measured on an H200; ratios between tiles of
/// one problem are what counts.
[[nodiscard]] KernelCost kernel_cost(const GroupTile& tile, const KernelProblem& problem,
                                     const DeviceInfo& device);

/// Likewise of a candidate; none of multiply-adds of threads.
[[nodiscard]] std::optional<KernelCost> kernel_cost(const Candidate& candidate,
                                                    const KernelProblem& problem,
                                                    const DeviceInfo& device);

/// Likewise of a step; none where it is not warp-specialised, or threads multiply by themselves.
[[nodiscard]] std::optional<KernelCost> kernel_cost(const GemmStep& step, const DeviceInfo& device);

/// When the next kernel may begin behind one of such tiles.
[[nodiscard]] Release release_for(const GroupTile& tile, const Prediction& prediction);

/// The tiles of that many groups of 64 rows, wherever the instruction has their width, best first
/// by predicted clocks; ties by the order of the table.
///   gives  at most `most` of them, for the problem as it is, transposed, or both ways, as the
///          caller leaves it open
[[nodiscard]] std::vector<GroupTile> ranked_tiles(const KernelProblem& problem,
                                                  const DeviceInfo& device, size_t most,
                                                  const Config& config = {});

}  // namespace jute::plan
