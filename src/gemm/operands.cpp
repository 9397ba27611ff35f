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

MatrixExtents extents_a(const Problem& problem) { return {problem.m, problem.k, problem.batch}; }
MatrixExtents extents_b(const Problem& problem) { return {problem.k, problem.n, problem.batch}; }
MatrixExtents extents_d(const Problem& problem) { return {problem.m, problem.n, problem.batch}; }

MatrixExtents extents_of_input(const Problem& problem, std::size_t place) {
  const auto [rows, cols] = extents_of(problem, problem.epilogue->expression.inputs[place]);
  return {rows, cols, problem.batch};
}

MatrixExtents extents_of_output(const Problem& problem, std::size_t place) {
  const auto [rows, cols] = extents_of(problem, problem.epilogue->expression.outputs[place]);
  return {rows, cols, problem.batch};
}

MatrixExtents values_of_output(const Problem& problem, std::size_t place) {
  const EpilogueExpression& expression = problem.epilogue->expression;
  return is_of_bits(expression, expression.outputs[place]) ? extents_d(problem)
                                                           : extents_of_output(problem, place);
}

namespace {

template <class Named>
HostMatrix host_matrix(const EpilogueExpression& expression, const Named& named,
                       const EpilogueOperand& operand, const MatrixExtents& extents,
                       std::span<const std::byte> memory) {
  HostMatrix matrix(named.name, operand, extents, memory);
  return is_of_bits(expression, named) ? HostMatrix::of_bits(std::move(matrix), operand.order)
                                       : matrix;
}

}  // namespace

HostMatrix host_input(const Problem& problem, std::size_t place,
                      std::span<const std::byte> memory) {
  const Epilogue& epilogue = *problem.epilogue;
  return host_matrix(epilogue.expression, epilogue.expression.inputs[place], epilogue.inputs[place],
                     extents_of_input(problem, place), memory);
}

HostMatrix host_output(const Problem& problem, std::size_t place,
                       std::span<const std::byte> memory) {
  const Epilogue& epilogue = *problem.epilogue;
  return host_matrix(epilogue.expression, epilogue.expression.outputs[place],
                     epilogue.outputs[place], extents_of_output(problem, place), memory);
}

DType scale_type(DType accumulate) {
  return accumulate == DType::s32 || accumulate == DType::f64 ? accumulate : DType::f32;
}

double rounded_scale(DType accumulate, double scale) {
  return rounded(scale_type(accumulate), scale);
}

namespace {

struct ScaleFactors {
  double alpha, beta;
};

/// What the problem's own epilogue reads.
void add_epilogue(ReferenceInputs& all, const HostOperands& operands, const ScaleFactors& given) {
  const Epilogue& epilogue = *all.problem.epilogue;
  std::vector<DType> read;
  if (c_read(all.problem) != CRead::never) read.push_back(all.problem.c.type);
  for (size_t i = 0; i < epilogue.inputs.size(); ++i) {
    const EpilogueOperand& operand = epilogue.inputs[i];
    read.push_back(operand.type);
    const bool is_value = operand.by_value;
    all.inputs.push_back(is_value ? HostMatrix()
                                  : host_input(all.problem, i,
                                               i < operands.inputs.size()
                                                   ? operands.inputs[i]
                                                   : std::span<const std::byte>()));
    const double value = i < operands.input_values.size() ? operands.input_values[i] : 0;
    all.input_values.push_back(is_value ? rounded(operand.type, value) : 0);
  }
  all.compute = compute_type(epilogue.expression, *all.problem.accumulate, read);
  all.arithmetic = arithmetic_of(epilogue.expression);
  all.alpha = rounded_scale(all.compute, given.alpha);
  all.beta = rounded_scale(all.compute, given.beta);
}

}  // namespace

ReferenceInputs::ReferenceInputs(const Problem& given, const HostOperands& operands,
                                 double given_alpha, double given_beta, double roundoff)
    : problem(completed(given)),
      alpha(rounded_scale(*problem.accumulate, given_alpha)),
      beta(rounded_scale(*problem.accumulate, given_beta)),
      u_acc(roundoff),
      epilogue(problem.epilogue ? problem.epilogue->expression
                                : scaled_sum(problem.alpha, problem.beta)) {
  const bool has_sums = names(epilogue, EpilogueOp::a_sum) || names(epilogue, EpilogueOp::b_sum);
  if (problem.batch == 0 || (std::min(problem.m, problem.n) == 0 && !has_sums)) return;
  a = HostMatrix("a", problem.a, extents_a(problem), operands.a);
  b = HostMatrix("b", problem.b, extents_b(problem), operands.b);
  reads_c = jute::reads_c(problem, beta);
  if (reads_c) c = HostMatrix("c", problem.c, extents_d(problem), operands.c);
  if (problem.epilogue) add_epilogue(*this, operands, {given_alpha, given_beta});
  if (has_sums || split_of(problem.precision) != nullptr) sums = operand_sums(*this);
}

// The last term is rounded to a multiple of its type's smallest value, products to one of f32's.
// Terms may reach a little further than what they add up to.
Sum of_terms(const ReferenceInputs& inputs, const ResultElement& element, Sum sum) {
  const Problem& problem = inputs.problem;
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
    return {sum.value, terms * inputs.u_acc * sum.magnitude + sum.below, sum.magnitude};
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
    // Promoted sums may be more exact than the step that adds C.
    const bool is_exact = inputs.u_acc == 0;
    const double least = std::ldexp(1.0, -precision_bits(*inputs.problem.accumulate));
    const double u = is_exact ? 0 : std::max(inputs.u_acc, least);
    return {x.value + added, x.error + 4 * u * std::abs(added), x.reached};
  }
};

}  // namespace

Judgement judgement(const ReferenceInputs& inputs, const ResultElement& element, const Sum& sum) {
  if (inputs.problem.epilogue) {
    const std::vector<EpilogueOutput>& outputs = inputs.epilogue.outputs;
    const auto d =
        std::ranges::find_if(outputs, [](const auto& one) { return is_d(one); }) - outputs.begin();
    return stored(judgements(inputs, element, sum)[static_cast<size_t>(d)], inputs.problem.d.type);
  }
  const Sum whole = of_terms(inputs, element, sum);
  Judged arithmetic{inputs, element, whole};
  const Judged::Value judged = evaluate(inputs.epilogue, arithmetic);
  Judgement result{static_cast<double>(judged.value), 0};
  result.bound = judged.error +
                 rounding_error(inputs.problem.d.type, *inputs.problem.accumulate, result.value);
  const bool may_overflow = !(judged.reached <= largest(*inputs.problem.accumulate));
  if (may_overflow || !std::isfinite(result.value)) result.bound = kInfinity;
  return result;
}

}  // namespace jute::gemm
