// From a sum of products to the value and the error bound of one element.
#include "gemm/operands.hpp"

#include <jute/base/checked.hpp>
#include <jute/epilogue/fold.hpp>

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

DType scale_type(DType accumulate) {
  return accumulate == DType::s32 || accumulate == DType::f64 ? accumulate : DType::f32;
}

double rounded_scale(DType accumulate, double scale) {
  const DType type = scale_type(accumulate);
  return decode(type, encode(type, scale));
}

ReferenceInputs::ReferenceInputs(const Problem& given, const HostOperands& operands,
                                 double given_alpha, double given_beta, double roundoff)
    : problem(completed(given)),
      alpha(rounded_scale(*problem.accumulate, given_alpha)),
      beta(rounded_scale(*problem.accumulate, given_beta)),
      u_acc(roundoff),
      epilogue(scaled_sum(problem.alpha, problem.beta)) {
  if (problem.m == 0 || problem.n == 0 || problem.batch == 0) return;  // nothing will be read
  a = HostMatrix("a", problem.a, extents_a(problem), operands.a);
  b = HostMatrix("b", problem.b, extents_b(problem), operands.b);
  if (beta != 0 && names(epilogue, EpilogueOp::c))
    c = HostMatrix("c", problem.c, extents_d(problem), operands.c);
}

namespace {

/// The expression in wide arithmetic: each node's value, how far a kernel's may lie from it, and
/// the largest magnitude that a partial sum may have reached in the accumulator's type.
struct Judged {
  struct Value {
    long double value = 0;
    double error = 0, reached = 0;
  };
  const ReferenceInputs& inputs;
  const ResultElement& element;
  const Sum& sum;

  /// The bound of the sum has room for the rounding of a product and of a sum after it.
  Value acc() const {
    const double terms = static_cast<double>(inputs.problem.k + 2);
    return {sum.value, terms * inputs.u_acc * sum.magnitude, sum.magnitude};
  }
  Value alpha() const { return {inputs.alpha, 0, 0}; }
  Value multiply(const Value& x, const Value& y) const {
    const auto size = [](const Value& of) { return static_cast<double>(std::abs(of.value)); };
    return {x.value * y.value, size(x) * y.error + size(y) * x.error + x.error * y.error,
            std::max({x.reached, y.reached, x.reached * size(y), y.reached * size(x)})};
  }
  Value add_beta_c(const Value& x) const {
    if (inputs.beta == 0) return x;
    const double added = inputs.beta * inputs.c.at(element.batch, element.row, element.col);
    return {x.value + added, x.error + 4 * inputs.u_acc * std::abs(added), x.reached};
  }
};

}  // namespace

Judgement judgement(const ReferenceInputs& inputs, const ResultElement& element, const Sum& sum) {
  Judged arithmetic{inputs, element, sum};
  const Judged::Value judged = evaluate(inputs.epilogue, arithmetic);
  Judgement result{static_cast<double>(judged.value), 0};
  result.bound = judged.error + rounding_error(inputs.problem, result.value);
  const bool may_overflow = !(judged.reached <= largest(*inputs.problem.accumulate));
  if (may_overflow || !std::isfinite(result.value)) result.bound = kInfinity;
  return result;
}

}  // namespace jute::gemm
