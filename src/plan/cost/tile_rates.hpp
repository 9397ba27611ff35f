#pragma once
// How fast operands reach a tile, and how fast D leaves it.
#include <jute/plan/cost/kernel_cost.hpp>

#include <cstddef>

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

/// Halvings of a line until rows begin at multiples of its parts.
[[nodiscard]] size_t halvings_of_line(const KernelMatrix& matrix);
/// Clocks of TMA for a row of 128 bytes of the operand.
[[nodiscard]] double clocks_of_row(const KernelMatrix& matrix);

/// Products that a k-block's loads hide behind, in clocks of a term.
[[nodiscard]] double clocks_that_hide(Index m, Index n, const KernelProblem& problem);
/// Do the products of a tile's k-block wait for what takes so many clocks to come for each term?
[[nodiscard]] bool is_felt(double feed, Index m, Index n, const KernelProblem& problem);

}  // namespace jute::plan
