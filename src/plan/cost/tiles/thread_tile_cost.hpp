#pragma once
// What tiles take that threads copy and multiply.
#include <jute/plan/cost/prediction.hpp>

#include <limits>

#include "plan/shapes/thread_tiles.hpp"
#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

/// What does not depend on how K is cut.
struct UncutThreadTile {
  double tiles, resident;  ///< blocks, and those of an SM at once
  double start, memory;
  double products, feed;  ///< of a block's k-tile
};
[[nodiscard]] UncutThreadTile uncut(const ThreadTileWork& work, const KernelProblem& problem,
                                    const DeviceInfo& device);
/// Beyond `limit` no more than that is sure of its clocks.
[[nodiscard]] Prediction predicted(const ThreadTileWork& work, const UncutThreadTile& whole,
                                   int slices, Index k, const DeviceInfo& device,
                                   double limit = std::numeric_limits<double>::infinity());

}  // namespace jute::plan
