#pragma once
// How many boxes a thread asks TMA for, and how many maps it makes ahead of them.
#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

/// Boxes that a block loads of both operands in a k-tile: so many rows of A, columns of B, elements
/// of K. Views say how many boxes that are; 0 where no operand has one, for then boxes are few.
[[nodiscard]] double boxes_of_tile(const TileShape& asked, const KernelProblem& problem);

/// Where only the device's list has what TMA brings, operands or parts of K: maps of a group's.
[[nodiscard]] double maps_of_group(const KernelProblem& problem);

}  // namespace jute::plan
