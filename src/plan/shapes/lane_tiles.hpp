#pragma once
// Multiply-adds of threads straight from global memory: what each thread of a block holds of D, and
// what such kernels are expected to take.
#include <jute/plan/cost/prediction.hpp>

#include <vector>

#include "plan/derive/straight_family.hpp"
#include "plan/values/candidates.hpp"

namespace jute::plan {

struct RankedLanes {
  double clocks;
  LaneTile tile;
};

/// The tiles that suit the problem, fastest first by the model.
[[nodiscard]] std::vector<RankedLanes> ranked_lane_tiles(const KernelProblem& problem,
                                                         const DeviceInfo& device, size_t most);

/// What none of them can do better than: their multiply-adds.
[[nodiscard]] double least_lane_clocks(const KernelProblem& problem, const DeviceInfo& device);

/// Atoms, permutation and tile: a thread holds neighbours along M or N where an operand has them
/// side by side in memory, and takes neighbours along K together.
[[nodiscard]] StraightForm form_of(const LaneTile& tile, const KernelProblem& problem);

/// Of a step without tensor cores whose fragments come straight from global memory.
[[nodiscard]] Prediction lane_prediction(const GemmStep& step, const DeviceInfo& device);

}  // namespace jute::plan
