#pragma once
// Tiles whose columns a launch may give.
#include <vector>

#include "plan/values/candidates.hpp"
#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

/// Tiles of the problem as their kernel sees it.
[[nodiscard]] std::vector<Tile> tiles_of_run_time_width(const KernelProblem& problem);

}  // namespace jute::plan
