// Values and bounds of what a problem's own epilogue makes of one element.
#include "gemm/block_reference.hpp"

#include <jute/base/checked.hpp>
#include <jute/epilogue/philox.hpp>
#include <jute/epilogue/types.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace jute::gemm {
namespace {

/// The values that the expression reads beside the sum, exact.
EpilogueElement element_of(const ReferenceInputs& inputs, const ResultElement& element) {
  const auto [batch, row, col] = element;
  EpilogueElement values;
  values.alpha = rounded(inputs.compute, inputs.alpha);
  values.beta = rounded(inputs.compute, inputs.beta);
  const bool is_empty = inputs.problem.m == 0 || inputs.problem.n == 0;
  if (!is_empty && inputs.reads_c)
    values.c = rounded(inputs.compute, inputs.at(TensorRole::c, element));
  const Epilogue& epilogue = *inputs.problem.epilogue;
  for (size_t i = 0; i < inputs.input_values.size(); ++i) {
    const EpilogueExtent extent = epilogue.expression.inputs[i].extent;
    const bool is_there = extent == EpilogueExtent::scalar || !is_empty;
    const bool by_row = extent == EpilogueExtent::rows || extent == EpilogueExtent::elements;
    const bool by_col = extent == EpilogueExtent::columns || extent == EpilogueExtent::elements;
    const double value = epilogue.inputs[i].by_value ? inputs.input_values[i]
                         : !is_there                 ? 0
                                     : inputs.matrices[input_role(static_cast<int>(i))].at(
                                           batch, by_row ? row : 0, by_col ? col : 0);
    if (is_seed(epilogue.expression, i)) {
      values.inputs.push_back(
          random_word(static_cast<std::int32_t>(value), row * inputs.problem.n + col, batch));
      continue;
    }
    values.inputs.push_back(rounded(inputs.compute, value));
  }
  return values;
}

/// A sum in the type that is computed in, which integers become by one rounding.
EpilogueInterval sum_interval(const ReferenceInputs& inputs, const Sum& sum, Index products) {
  const DType accumulate = *inputs.problem.accumulate;
  const auto value = static_cast<double>(sum.value);
  if (is_integer(accumulate)) {
    // Wraps beyond 32 bits.
    const auto wrapped = static_cast<std::int32_t>(static_cast<std::int64_t>(sum.value));
    return EpilogueInterval::point(rounded(inputs.compute, wrapped));
  }
  if (!(sum.magnitude <= largest(accumulate))) return {-kInfinity, kInfinity, true};
  const double error = static_cast<double>(products + 2) * inputs.u_acc * sum.magnitude + sum.below;
  return EpilogueInterval::around(value, error);
}

/// Values for the exact sums, and where sums lie that kernels form.
void add_sums(const ReferenceInputs& inputs, const ResultElement& element, EpilogueElement& at,
              EpilogueBounds& bounds) {
  if (!inputs.sums) return;
  const auto [batch, row, col] = element;
  const auto add = [&](const std::vector<Sum>& sums, Index place, double& value,
                       EpilogueInterval& lies) {
    if (sums.empty()) return;  // of an empty D; nothing is made of them
    const Sum& sum = sums[static_cast<size_t>(place)];
    lies = sum_interval(inputs, sum, inputs.problem.k);
    value = lies.is_point() ? lies.low : rounded(inputs.compute, static_cast<double>(sum.value));
  };
  add(inputs.sums->a, batch * inputs.problem.m + row, at.a_sum, bounds.a_sum);
  add(inputs.sums->b, batch * inputs.problem.n + col, at.b_sum, bounds.b_sum);
}

}  // namespace

std::shared_ptr<const ReferenceInputs::OperandSums> operand_sums(const ReferenceInputs& inputs) {
  const Problem& problem = inputs.problem;
  const auto all = [&](Index lines, const auto& element) {
    std::vector<Sum> sums;
    for (Index batch = 0; batch < problem.batch; ++batch)
      for (Index line = 0; line < lines; ++line) {
        Sum sum;
        for (Index k = 0; k < problem.k; ++k) {
          const double value = element(batch, line, k);
          sum.value += value;
          sum.magnitude += std::abs(value);
        }
        sums.push_back(sum);
      }
    return sums;
  };
  const auto of_a = [&](Index batch, Index m, Index k) { return inputs.a.at(batch, m, k); };
  const auto of_b = [&](Index batch, Index n, Index k) { return inputs.b.at(batch, k, n); };
  return std::make_shared<const ReferenceInputs::OperandSums>(
      ReferenceInputs::OperandSums{all(problem.m, of_a), all(problem.n, of_b)});
}

std::vector<OutputJudgement> judged_by(const ReferenceInputs& inputs,
                                       const EpilogueArithmetic& arithmetic,
                                       const ResultElement& element, const Sum& sum,
                                       const BlockMost& most) {
  EpilogueElement at = element_of(inputs, element);
  const EpilogueInterval acc =
      sum_interval(inputs, of_terms(inputs, element, sum), products_of(inputs, element.batch));
  at.acc = acc.is_point() ? acc.low : rounded(inputs.compute, static_cast<double>(sum.value));
  EpilogueBounds bounds{.acc = acc,
                        .alpha = EpilogueInterval::point(at.alpha),
                        .beta = EpilogueInterval::point(at.beta),
                        .c = EpilogueInterval::point(at.c)};
  if (inputs.problem.gate) {
    const Sum gate =
        rounded_below(inputs, element.batch, {sum.gate_magnitude, sum.gate_value, sum.gate_below});
    bounds.gate = sum_interval(inputs, gate, products_of(inputs, element.batch));
    at.gate = bounds.gate.is_point() ? bounds.gate.low
                                     : rounded(inputs.compute, static_cast<double>(gate.value));
  }
  add_sums(inputs, element, at, bounds);
  at.block_amax = most.value;
  bounds.block_amax = most.lies;
  const std::vector<double> values = evaluate(arithmetic, inputs.compute, at);
  for (const double input : at.inputs) bounds.inputs.push_back(EpilogueInterval::point(input));
  const std::vector<EpilogueInterval> lies =
      bound(arithmetic, inputs.compute, bounds, epilogue_accuracy(inputs.problem));
  std::vector<OutputJudgement> results;
  for (size_t i = 0; i < values.size(); ++i) results.push_back({values[i], lies[i]});
  return results;
}

Judgement stored(const OutputJudgement& judged, DType type) {
  const EpilogueInterval lies = rounded(judged.lies, type);
  const double bound =
      lies.is_empty() ? 0 : std::max(lies.high - judged.value, judged.value - lies.low);
  return {judged.value, bound, lies};
}

}  // namespace jute::gemm
