#pragma once
// What a warp-specialised kernel is expected to take: cheap numbers that candidates are ranked by.
#include "plan/candidates.hpp"

namespace jute::plan {

/// Clocks of an SM from launch to end, at the planned sizes. The constants were measured on an
/// H200; ratios between tiles of one problem are what counts.
[[nodiscard]] double predicted_clocks(const GroupTile& tile, const KernelProblem& problem,
                                      const DeviceInfo& device);

/// The tiles of that many groups of 64 rows, wherever the instruction has their width, best first
/// by predicted_clocks; ties by the order of the table.
///   gives  at most `most` of them, for the problem as it is, transposed, or both ways, as the
///          caller leaves it open
[[nodiscard]] std::vector<GroupTile> ranked_tiles(const KernelProblem& problem,
                                                  const DeviceInfo& device, size_t most,
                                                  const Config& config = {});

}  // namespace jute::plan
