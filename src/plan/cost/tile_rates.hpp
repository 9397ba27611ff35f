#pragma once
// How fast operands reach a tile, and how fast D leaves it.
#include <jute/plan/cost/kernel_cost.hpp>

#include "plan/values/candidates.hpp"
#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

/// Elements of D that a block stores in a clock.
[[nodiscard]] double epilogue_rate(const Tile& tile, const KernelProblem& problem);

/// Clocks of tensor cores for a k-block of a tile.
[[nodiscard]] double clocks_of_products(Index m, Index n);

/// Of an end that another team's products hide, what these still feel.
[[nodiscard]] double felt_end(const Tile& tile, const KernelProblem& problem);

/// What memory moves for D by such tiles, and for so many bytes of it.
[[nodiscard]] WriteRates write_rates(const Tile& tile, const KernelProblem& problem);
[[nodiscard]] double bytes_to_write(const WriteRates& rates, double bytes);

}  // namespace jute::plan
