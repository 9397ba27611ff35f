// Values and bounds of the outputs of a problem's own epilogue: of elements, and of many together.
#include "gemm/operands.hpp"

#include <jute/base/checked.hpp>
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

/// The values of an output, one for each place that they are gathered at.
class Gathered {
 public:
  Gathered(const ReferenceInputs& inputs, size_t place)
      : gather_(inputs.epilogue.outputs[place].gather),
        type_(output_type(inputs, place)),
        compute_(inputs.compute),
        extents_(values_of_output(inputs.problem, place)) {
    if (output_extent(inputs.epilogue, inputs.epilogue.outputs[place]) == EpilogueExtent::blocks)
      block_ = block_of(inputs.epilogue);
    const auto size =
        static_cast<size_t>(checked_mul(checked_mul(extents_.rows, extents_.cols), extents_.batch));
    values_.resize(size);
    // Rows that are no group's, or that no table names, may hold anything.
    const EpilogueInterval any{-kInfinity, kInfinity, true};
    const bool has_rest =
        inputs.problem.groups || (inputs.problem.d.rows && is_d(inputs.epilogue.outputs[place]));
    lies_.resize(size, has_rest ? any : EpilogueInterval());
    magnitudes_.resize(size);
    counts_.resize(size);
    is_no_number_.resize(size);
  }

  void add(const ResultElement& element, const OutputJudgement& judged) {
    const Index batch = element.batch, row = element.row / block_.m, col = element.col / block_.n;
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
      append(reference, stored(judged, type_));
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
  EpilogueBlock block_{1, 1};  ///< of elements that have a value in common
  std::vector<long double> values_;
  std::vector<EpilogueInterval> lies_;
  std::vector<double> magnitudes_;
  std::vector<Index> counts_;
  std::vector<bool> is_no_number_;
};

/// Adds outputs that are made of operand sums where no element of D tells them.
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
