// Values and bounds of the outputs of a problem's own epilogue.
#include "gemm/operands.hpp"

#include <jute/base/checked.hpp>
#include <jute/epilogue/philox.hpp>
#include <jute/epilogue/types.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace jute::gemm {
namespace {

DType output_type(const ReferenceInputs& inputs, size_t place) {
  return is_d(inputs.epilogue.outputs[place]) ? inputs.problem.d.type
                                              : inputs.problem.epilogue->outputs[place].type;
}

/// What the expression reads beside the sum, exact.
EpilogueElement element_of(const ReferenceInputs& inputs, const ResultElement& element) {
  const auto [batch, row, col] = element;
  EpilogueElement values;
  values.alpha = rounded(inputs.compute, inputs.alpha);
  values.beta = rounded(inputs.compute, inputs.beta);
  const bool is_empty = inputs.problem.m == 0 || inputs.problem.n == 0;
  if (!is_empty && inputs.reads_c) values.c = rounded(inputs.compute, inputs.c.at(batch, row, col));
  const Epilogue& epilogue = *inputs.problem.epilogue;
  for (size_t i = 0; i < inputs.inputs.size(); ++i) {
    const EpilogueExtent extent = epilogue.expression.inputs[i].extent;
    const bool is_there = extent == EpilogueExtent::scalar || !is_empty;
    const bool by_row = extent == EpilogueExtent::rows || extent == EpilogueExtent::elements;
    const bool by_col = extent == EpilogueExtent::columns || extent == EpilogueExtent::elements;
    const double value = epilogue.inputs[i].by_value ? inputs.input_values[i]
                         : !is_there
                             ? 0
                             : inputs.inputs[i].at(batch, by_row ? row : 0, by_col ? col : 0);
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

std::vector<OutputJudgement> judgements(const ReferenceInputs& inputs, const ResultElement& element,
                                        const Sum& sum) {
  EpilogueElement at = element_of(inputs, element);
  const EpilogueInterval acc =
      sum_interval(inputs, of_terms(inputs, element, sum), products_of(inputs, element.batch));
  at.acc = acc.is_point() ? acc.low : rounded(inputs.compute, static_cast<double>(sum.value));
  EpilogueBounds bounds{.acc = acc,
                        .alpha = EpilogueInterval::point(at.alpha),
                        .beta = EpilogueInterval::point(at.beta),
                        .c = EpilogueInterval::point(at.c)};
  if (inputs.problem.gate) {
    const Sum gate{sum.gate_magnitude, sum.gate_value};
    bounds.gate = sum_interval(inputs, gate, products_of(inputs, element.batch));
    at.gate = bounds.gate.is_point() ? bounds.gate.low
                                     : rounded(inputs.compute, static_cast<double>(gate.value));
  }
  add_sums(inputs, element, at, bounds);
  const std::vector<double> values = evaluate(inputs.arithmetic, inputs.compute, at);
  for (const double input : at.inputs) bounds.inputs.push_back(EpilogueInterval::point(input));
  const std::vector<EpilogueInterval> lies =
      bound(inputs.arithmetic, inputs.compute, bounds, epilogue_accuracy(inputs.problem));
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

namespace {

/// What the values of an output come to, one for each place that they are gathered at.
class Gathered {
 public:
  Gathered(const ReferenceInputs& inputs, size_t place)
      : gather_(inputs.epilogue.outputs[place].gather),
        type_(output_type(inputs, place)),
        compute_(inputs.compute),
        extents_(values_of_output(inputs.problem, place)) {
    const auto size =
        static_cast<size_t>(checked_mul(checked_mul(extents_.rows, extents_.cols), extents_.batch));
    values_.resize(size);
    // What is no group's may be anything, and what no table names.
    const EpilogueInterval any{-kInfinity, kInfinity, true};
    const bool has_rest =
        inputs.problem.groups || (inputs.problem.d.rows && is_d(inputs.epilogue.outputs[place]));
    lies_.resize(size, has_rest ? any : EpilogueInterval());
    magnitudes_.resize(size);
    counts_.resize(size);
    is_no_number_.resize(size);
  }

  void add(const ResultElement& element, const OutputJudgement& judged) {
    const auto [batch, row, col] = element;
    const Index matrix = std::min(batch, extents_.batch - 1);
    const auto at = static_cast<size_t>((matrix * extents_.rows + (extents_.rows > 1 ? row : 0)) *
                                            extents_.cols +
                                        (extents_.cols > 1 ? col : 0));
    EpilogueInterval& lies = lies_[at];
    const EpilogueInterval& one = judged.lies;
    if (gather_ == EpilogueGather::elements) {
      values_[at] = judged.value;
      lies = one;
      return;
    }
    // One element that is no number, and nothing else is known of all.
    if (one.is_empty()) is_no_number_[at] = true;
    if (is_no_number_[at]) return;
    lies.nan |= one.nan;
    if (is_largest(gather_)) {
      const double size = std::abs(judged.value);
      if (!(std::isnan(values_[at]) || size <= values_[at])) values_[at] = size;
      const double least =
          one.low <= 0 && one.high >= 0 ? 0 : std::min(std::abs(one.low), std::abs(one.high));
      lies.low = std::max(lies.low, least);
      lies.high = std::max({lies.high, std::abs(one.low), std::abs(one.high)});
    } else {
      values_[at] += judged.value;
      // Infinities of both signs make no number.
      lies.nan |= (std::isinf(one.high) && std::isinf(lies.low)) ||
                  (std::isinf(one.low) && std::isinf(lies.high));
      lies.low += one.low;
      lies.high += one.high;
      magnitudes_[at] += std::max(std::abs(one.low), std::abs(one.high));
      ++counts_[at];
    }
  }

  /// With the rounding of sums, and that of their type.
  [[nodiscard]] Reference whole() const {
    Reference reference;
    for (size_t i = 0; i < values_.size(); ++i) {
      OutputJudgement judged{static_cast<double>(values_[i]), lies_[i]};
      if (is_no_number_[i]) {
        judged.lies = EpilogueInterval::nothing();
        judged.lies.nan = true;
        judged.value = std::numeric_limits<double>::quiet_NaN();
      } else if (compute_ == DType::s32) {
        if (type_ == DType::s32) wrap(judged);
      } else if (is_sum()) {
        const double error =
            additions(counts_[i]) * std::ldexp(1.0, -precision_bits(compute_)) * magnitudes_[i];
        judged.lies.low -= error;
        judged.lies.high += error;
        if (std::isnan(judged.lies.low) || std::isnan(judged.lies.high))
          judged.lies = {-kInfinity, kInfinity, true};
      }
      const Judgement in_memory = stored(judged, type_);
      reference.value.push_back(in_memory.value);
      reference.bound.push_back(in_memory.bound);
      reference.lies.push_back(*in_memory.lies);
    }
    return reference;
  }

 private:
  [[nodiscard]] bool is_sum() const {
    return gather_ != EpilogueGather::elements && !is_largest(gather_);
  }
  /// Integers are gathered in 64 bits; an s32 holds the last 32 of them.
  static void wrap(OutputJudgement& judged) {
    const auto last_bits = [](double sum) {
      return static_cast<double>(static_cast<std::int32_t>(static_cast<std::int64_t>(sum)));
    };
    judged.value = last_bits(judged.value);
    judged.lies = judged.lies.is_point() ? EpilogueInterval::point(last_bits(judged.lies.low))
                  : is_held(judged.lies) ? judged.lies
                                         : EpilogueInterval{-2147483648.0, 2147483647.0};
  }
  static bool is_held(const EpilogueInterval& sum) {
    return sum.low >= -2147483648.0 && sum.high <= 2147483647.0;
  }
  /// How many additions an element passes at most: in its thread, its warp, and with what other
  /// warps found, which many threads share.
  static double additions(Index count) {
    return std::min(static_cast<double>(count), 512 + static_cast<double>(count) / 4096);
  }

  EpilogueGather gather_;
  DType type_, compute_;
  MatrixExtents extents_;
  std::vector<long double> values_;
  std::vector<EpilogueInterval> lies_;
  std::vector<double> magnitudes_;
  std::vector<Index> counts_;
  std::vector<bool> is_no_number_;
};

/// What is made of operand sums where no element of D tells it.
void add_outputs_of_sums(const ReferenceInputs& inputs, std::vector<Gathered>& outputs) {
  const EpilogueExpression& expression = inputs.epilogue;
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (!inputs.sums || !is_of_sums(expression, expression.outputs[i])) continue;
    ReferenceInputs alone = inputs;
    std::erase_if(alone.epilogue.outputs, [&](const EpilogueOutput& other) {
      return other.name != expression.outputs[i].name;
    });
    alone.arithmetic = arithmetic_of(alone.epilogue);
    const MatrixExtents lines = values_of_output(inputs.problem, i);
    for (Index batch = 0; batch < lines.batch; ++batch)
      for (Index row = 0; row < lines.rows; ++row)
        for (Index col = 0; col < lines.cols; ++col)
          outputs[i].add({batch, row, col}, judgements(alone, {batch, row, col}, {})[0]);
  }
}

}  // namespace

std::vector<Reference> gathered_outputs(const ReferenceInputs& inputs) {
  std::vector<Gathered> outputs;
  for (size_t i = 0; i < inputs.epilogue.outputs.size(); ++i) outputs.emplace_back(inputs, i);
  if (inputs.problem.m == 0 || inputs.problem.n == 0) add_outputs_of_sums(inputs, outputs);
  each_sum(inputs, [&](const ResultElement& element, const Sum& sum) {
    const std::vector<OutputJudgement> judged = judgements(inputs, element, sum);
    const std::optional<Index> row = row_in_d(inputs, element.row);
    for (size_t i = 0; i < outputs.size(); ++i)
      if (!is_d(inputs.epilogue.outputs[i]))
        outputs[i].add(element, judged[i]);
      else if (row)
        outputs[i].add({element.batch, *row, element.col}, judged[i]);
  });
  std::vector<Reference> references;
  for (const Gathered& output : outputs) references.push_back(output.whole());
  return references;
}

}  // namespace jute::gemm
