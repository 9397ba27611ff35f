#pragma once
// Multiply-adds of threads from stages of shared memory that all of them keep filling: what each
// thread of a block holds of D, and what such kernels are expected to take.
#include <jute/plan/cost/prediction.hpp>

#include <vector>

#include "plan/values/candidates.hpp"

namespace jute::plan {

struct RankedThreads {
  double clocks;
  ThreadTile tile;
};

/// Does cp.async bring the problem's operands to shared memory as they lie?
[[nodiscard]] bool may_be_staged(const KernelProblem& problem, const DeviceInfo& device);

/// The tiles that suit the problem, fastest first by the model; none where threads must copy
/// through registers.
[[nodiscard]] std::vector<RankedThreads> ranked_thread_tiles(const KernelProblem& problem,
                                                             const DeviceInfo& device, size_t most);

/// Of a step without tensor cores whose threads copy tiles asynchronously.
[[nodiscard]] Prediction thread_tile_prediction(const GemmStep& step, const DeviceInfo& device);

}  // namespace jute::plan
