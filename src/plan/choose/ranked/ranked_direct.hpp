#pragma once
// Tiles of what threads and warps load straight from global memory, fastest first.
#include <vector>

#include "plan/values/candidates.hpp"
#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

/// Of warps that load their own fragments: those that suit the problem, with the atom's shape for
/// units; of shared ones the short list.
[[nodiscard]] std::vector<RankedTile> ranked_straight_tiles(
    const MmaAtom& atom, const KernelProblem& problem, const DeviceInfo& device, size_t most,
    Specialize specialize = Specialize::usual);

/// Of threads that multiply what they load.
[[nodiscard]] std::vector<RankedTile> ranked_lane_tiles(const KernelProblem& problem,
                                                        const DeviceInfo& device, size_t most);
/// What none of these does better than: its multiply-adds.
[[nodiscard]] double least_lane_clocks(const KernelProblem& problem, const DeviceInfo& device);

/// Of lanes to which a large operand is dealt; those of the short list where kernels are shared;
/// empty where D has more than a few rows and columns, or its outputs are of many elements.
[[nodiscard]] std::vector<RankedTile> ranked_dot_tiles(const KernelProblem& problem,
                                                       const DeviceInfo& device, size_t most,
                                                       Specialize specialize = Specialize::usual);

/// Of lanes to which its lines are dealt: those of the first tensor-core instruction and of
/// multiply-adds.
[[nodiscard]] std::vector<RankedCandidate> ranked_line_tiles(const KernelProblem& problem,
                                                             const DeviceInfo& device,
                                                             const std::vector<MmaAtom>& atoms,
                                                             size_t most);

}  // namespace jute::plan
