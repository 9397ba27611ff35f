#pragma once
// The problem and the tile that a step was made of, as far as models ask.
#include "plan/values/candidates.hpp"
#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

[[nodiscard]] KernelProblem problem_of(const GemmStep& step);
[[nodiscard]] GroupTile tile_of(const GemmStep& step, const DeviceInfo& device);

}  // namespace jute::plan
