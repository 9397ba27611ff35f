#pragma once
// What rows take that TMA brings, and what products hide of it.
#include <array>
#include <cstddef>

#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

/// Halvings of a line until rows begin at multiples of its parts.
[[nodiscard]] size_t halvings_of_line(const KernelMatrix& matrix);
/// Clocks of TMA for a row of 128 bytes of the operand.
[[nodiscard]] double clocks_of_row(const KernelMatrix& matrix);

/// Products that a k-block's loads hide behind, in clocks of a term.
[[nodiscard]] double clocks_that_hide(Index m, Index n, const KernelProblem& problem);
/// Do the products of a tile's k-block wait for what takes so many clocks to come for each term?
[[nodiscard]] bool is_felt(double feed, Index m, Index n, const KernelProblem& problem);

}  // namespace jute::plan
