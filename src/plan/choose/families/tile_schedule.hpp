#pragma once
// Consequences of what is expected of a tile of warpgroups.
#include <jute/plan/cost/prediction.hpp>

#include "plan/values/candidates.hpp"
#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

/// When the next kernel may begin behind one of such tiles.
[[nodiscard]] Release release_for(const Prediction& expected);

/// Sets what follows from the rest of a tile and what is expected of it.
void set_schedule(Tile& tile, const Prediction& expected, const KernelProblem& problem,
                  const DeviceInfo& device);

}  // namespace jute::plan
