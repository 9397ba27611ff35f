#pragma once
// Tiles that lie in shared memory and that warps or threads multiply, each in as many slices of K
// as suit it, fastest first.
#include <optional>
#include <vector>

#include "plan/values/candidates.hpp"
#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

/// That a producer loads and warps multiply, whether TMA reads the operands as they lie or copies
/// of them. None where the chip or the types do not suit them.
[[nodiscard]] std::vector<RankedTile> ranked_warp_groups(const KernelProblem& problem,
                                                         const DeviceInfo& device, size_t most);
/// Likewise that threads multiply; the caller's tile alone where there is one.
[[nodiscard]] std::vector<RankedTile> ranked_thread_groups(
    const KernelProblem& problem, const DeviceInfo& device, size_t most,
    const std::optional<TileShape>& tile = std::nullopt);

/// That warps copy and multiply: by cp.async, or through registers where that cannot bring the
/// operands. None that takes `limit` or more.
[[nodiscard]] std::vector<RankedTile> ranked_warp_tiles(const KernelProblem& problem,
                                                        const DeviceInfo& device, size_t most,
                                                        double limit);
/// That threads copy and multiply; none where they must copy through registers.
[[nodiscard]] std::vector<RankedTile> ranked_thread_tiles(const KernelProblem& problem,
                                                          const DeviceInfo& device, size_t most);

}  // namespace jute::plan
