// From a sum of products to the value and the error bound of one element.
#include "gemm/operands.hpp"

#include <jute/base/checked.hpp>
#include <jute/epilogue/fold.hpp>
#include <jute/epilogue/types.hpp>
#include <jute/plan/ask/operand_extents.hpp>
#include <jute/plan/ask/split.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace jute::gemm {
namespace {

/// The smallest positive value of a floating-point type.
double smallest(DType type) {
  return decode(type, std::uint64_t{1} << (type == DType::tf32 ? 13 : 0));
}

}  // namespace

double largest(DType type) {
  if (is_integer(type)) return decode(type, encode(type, std::numeric_limits<double>::max()));
  const double infinity = decode(type, encode(type, kInfinity));
  if (!std::isinf(infinity)) return infinity;
  // The pattern below infinity.
  return decode(type,
                encode(type, kInfinity) - (std::uint64_t{1} << (type == DType::tf32 ? 13 : 0)));
}

double rounded(DType type, double value) { return decode(type, encode(type, value)); }

double rounding_error(DType type, DType from, double value) {
  if (is_integer(type)) return is_integer(from) ? 0.0 : 0.5;
  return std::max(std::ldexp(std::abs(value), -precision_bits(type)), 0.5 * smallest(type));
}

MatrixExtents values_of_output(const Problem& problem, std::size_t place) {
  const EpilogueExpression& expression = problem.epilogue->expression;
  return is_of_bits(expression, expression.outputs[place])
             ? extents_of(problem, TensorRole::c)
             : extents_of(problem, output_role(static_cast<int>(place)));
}

double least_normal(const ReferenceInputs& inputs) {
  const Problem& problem = inputs.problem;
  const auto of = [](DType type) {
    using enum DType;
    const bool is_of_tensor_cores =
        type == f16 || type == bf16 || type == tf32 || type == e4m3 || type == e5m2;
    return is_of_tensor_cores ? std::ldexp(smallest(type), precision_bits(type) - 1) : 0.0;
  };
  if (least_of_sums(inputs) == 0) return 0;
  if (problem.staged) return of(*problem.staged);
  if (inputs.converted_a || inputs.converted_b) return 0;  // scales are among the factors
  return std::max(of(problem.a.type), of(problem.b.type));
}

double least_of_sums(const ReferenceInputs& inputs) {
  const DType accumulate = *inputs.problem.accumulate;
  return inputs.u_acc > 0 && !is_integer(accumulate) ? smallest(accumulate) : 0.0;
}

Sum rounded_below(const ReferenceInputs& inputs, Index batch, Sum sum) {
  if (sum.magnitude > 0)
    sum.below += static_cast<double>(products_of(inputs, batch)) * least_of_sums(inputs);
  return sum;
}

// The last term is rounded to a multiple of its type's smallest value, products to one of f32's.
// Terms may reach a little further than what they add up to.
Sum of_terms(const ReferenceInputs& inputs, const ResultElement& element, Sum sum) {
  const Problem& problem = inputs.problem;
  sum = rounded_below(inputs, element.batch, sum);
  const Split* const split = split_of(problem.precision);
  if (split == nullptr || !inputs.sums) return sum;
  constexpr double kFurther = 1 + 0x1p-6, kMostProducts = 6;
  const auto of = [&](const std::vector<Sum>& sums, Index line) {
    return sums[static_cast<size_t>(line)].magnitude;
  };
  sum.magnitude *= kFurther;
  sum.below =
      smallest(split->term) * (of(inputs.sums->a, element.batch * problem.m + element.row) +
                               of(inputs.sums->b, element.batch * problem.n + element.col)) +
      kMostProducts * static_cast<double>(problem.k) * smallest(DType::f32);
  return sum;
}

}  // namespace jute::gemm
