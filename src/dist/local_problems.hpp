#pragma once
// What one rank multiplies or adds, as a Problem of its own.
#include <jute/dist/distributed_plan.hpp>

#include <optional>
#include <span>

namespace jute::dist {

/// What summands are added in.
[[nodiscard]] DType sum_type(const Problem& problem);

/// D's part, with all of the epilogue.
[[nodiscard]] Problem product_problem(const DistributedPlan& plan, const BufferPart& a,
                                      const BufferPart& b, std::optional<std::size_t> c,
                                      std::size_t d, const ProductSlice* slice = nullptr);
/// A summand: products alone.
[[nodiscard]] Problem summand_problem(const DistributedPlan& plan, const BufferPart& a,
                                      const BufferPart& b, std::size_t d,
                                      const ProductSlice* slice = nullptr);
/// Summands in their order, then the epilogue: a product of no K whose epilogue adds.
[[nodiscard]] Problem sum_problem(const DistributedPlan& plan,
                                  std::span<const std::size_t> summands,
                                  std::optional<std::size_t> c, std::size_t d);
/// Summands alone, where there are more to come.
[[nodiscard]] Problem partial_sum_problem(const DistributedPlan& plan,
                                          std::span<const std::size_t> summands, std::size_t d);

}  // namespace jute::dist
