#pragma once
// What one rank multiplies or adds, as a Problem of its own.
#include <jute/dist/distributed_plan.hpp>

#include <optional>
#include <span>
#include <vector>

namespace jute::dist {

/// The type in which summands are added.
[[nodiscard]] DType sum_type(const Problem& problem);

/// D's part, with all of the epilogue; of a slice, so much of it.
[[nodiscard]] Problem product_problem(const DistributedPlan& plan, const ProductStep& step);
/// A summand: products alone.
[[nodiscard]] Problem summand_problem(const DistributedPlan& plan, const ProductStep& step);
/// Summands in their order, then the epilogue: a product of no K whose epilogue adds. `inputs` are
/// those of the epilogue by their places, and then stand in the kernel's order.
[[nodiscard]] Problem sum_problem(const DistributedPlan& plan,
                                  std::span<const std::size_t> summands,
                                  std::optional<std::size_t> c, std::size_t d,
                                  std::vector<StepInput>& inputs);
/// Summands alone, where there are more to come.
[[nodiscard]] Problem partial_sum_problem(const DistributedPlan& plan,
                                          std::span<const std::size_t> summands, std::size_t d);

}  // namespace jute::dist
