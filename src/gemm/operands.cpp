// From a sum of products to the value and the error bound of one element.
#include "gemm/operands.hpp"

#include <jute/base/checked.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace jute::gemm {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The largest finite value of a type.
double largest(DType type) {
  if (is_integer(type)) return decode(type, encode(type, std::numeric_limits<double>::max()));
  const double infinity = decode(type, encode(type, kInfinity));
  if (!std::isinf(infinity)) return infinity;
  // The pattern below infinity.
  return decode(type,
                encode(type, kInfinity) - (std::uint64_t{1} << (type == DType::tf32 ? 13 : 0)));
}

/// The smallest positive value of a floating-point type.
double smallest(DType type) {
  return decode(type, std::uint64_t{1} << (type == DType::tf32 ? 13 : 0));
}

/// Greatest error of rounding `value` to D's type. Results of an integer accumulator are exact in
/// an integer D; any other result loses up to half a unit.
double rounding_error(const Problem& problem, double value) {
  const DType type = problem.d.type;
  if (is_integer(type)) return is_integer(*problem.accumulate) ? 0.0 : 0.5;
  return std::max(std::ldexp(std::abs(value), -precision_bits(type)), 0.5 * smallest(type));
}

}  // namespace

MatrixExtents extents_a(const Problem& problem) { return {problem.m, problem.k, problem.batch}; }
MatrixExtents extents_b(const Problem& problem) { return {problem.k, problem.n, problem.batch}; }
MatrixExtents extents_d(const Problem& problem) { return {problem.m, problem.n, problem.batch}; }

double rounded_scale(DType accumulate, double scale) {
  const DType type = accumulate == DType::s32 || accumulate == DType::f64 ? accumulate : DType::f32;
  return decode(type, encode(type, scale));
}

ReferenceInputs::ReferenceInputs(const Problem& given, const HostOperands& operands,
                                 double given_alpha, double given_beta, double roundoff)
    : problem(completed(given)),
      alpha(rounded_scale(*problem.accumulate, given_alpha)),
      beta(rounded_scale(*problem.accumulate, given_beta)),
      u_acc(roundoff) {
  if (problem.m == 0 || problem.n == 0 || problem.batch == 0) return;  // nothing will be read
  a = HostMatrix("a", problem.a, extents_a(problem), operands.a);
  b = HostMatrix("b", problem.b, extents_b(problem), operands.b);
  if (beta != 0) c = HostMatrix("c", problem.c, extents_d(problem), operands.c);
}

Judgement judgement(const ReferenceInputs& inputs, const ResultElement& element, const Sum& sum) {
  const Problem& problem = inputs.problem;
  const double addend =
      inputs.beta == 0 ? 0.0 : inputs.beta * inputs.c.at(element.batch, element.row, element.col);
  Judgement result;
  result.value = static_cast<double>(inputs.alpha * sum.value + addend);
  const double terms = static_cast<double>(problem.k + 2);
  result.bound = terms * inputs.u_acc * std::abs(inputs.alpha) * sum.magnitude +
                 rounding_error(problem, result.value) + 4 * inputs.u_acc * std::abs(addend);
  const double partial = sum.magnitude * std::max(1.0, std::abs(inputs.alpha));
  const bool may_overflow = !(partial <= largest(*problem.accumulate));
  if (may_overflow || !std::isfinite(result.value)) result.bound = kInfinity;
  return result;
}

}  // namespace jute::gemm
