#pragma once
// What kernels whose threads multiply what they load straight from global memory do, as the law of
// predictions asks.
#include <jute/plan/values/work.hpp>

#include "plan/cost/tiles/staged_amounts.hpp"
#include "plan/values/candidates.hpp"
#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

[[nodiscard]] Amounts amounts_of(const LaneTileWork& work, const KernelProblem& problem,
                                 const DeviceInfo& device, const FamilyLaw& law);
[[nodiscard]] Amounts amounts_of(const DotWork& work, const KernelProblem& problem,
                                 const DeviceInfo& device, const FamilyLaw& law);
[[nodiscard]] Amounts amounts_of(const StraightWork& work, const KernelProblem& problem,
                                 const DeviceInfo& device, const FamilyLaw& law);
/// Of the problem's large operand, as the work says which it is.
[[nodiscard]] Amounts amounts_of(const LineWork& work, const KernelProblem& problem,
                                 const DeviceInfo& device, const FamilyLaw& law);

/// What no tile of lanes does better than: its multiply-adds.
[[nodiscard]] double least_lane_clocks(const KernelProblem& problem, const DeviceInfo& device);
/// What fragments that warps load take.
[[nodiscard]] double straight_clocks(const StraightWork& work, const KernelProblem& problem,
                                     const DeviceInfo& device, const FamilyLaw& law);
/// What dot products take.
[[nodiscard]] double dot_clocks(const Tile& tile, const KernelProblem& problem,
                                const DeviceInfo& device, const FamilyLaw& law);

}  // namespace jute::plan
