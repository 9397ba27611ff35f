// The triple loop, blocked in registers, over operands unpacked to wide types.
#include "gemm/added_rows.hpp"
#include "gemm/operands.hpp"

#include <jute/base/checked.hpp>
#include <jute/epilogue/types.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>

namespace jute {
namespace gemm {
namespace {

// Small enough that sums and magnitudes stay in 16 vector registers of two doubles.
constexpr Index kBlockRows = 2;
constexpr Index kBlockCols = 4;

/// A matrix cut into strips of kWidth rows (A) or columns (B): [strip][k][kWidth], zero filled.
template <class Value, Index kWidth>
class Strips {
 public:
  /// `element(i, k)` is element i of the strip dimension at k.
  template <class Element>
  Strips(Index extent, Index k, Element element)
      : k_(k), values_(static_cast<size_t>(ceil_div(extent, kWidth) * kWidth * k)) {
    for (Index i = 0; i < extent; ++i)
      for (Index p = 0; p < k; ++p)
        values_[static_cast<size_t>((i / kWidth * k + p) * kWidth + i % kWidth)] =
            static_cast<Value>(element(i, p));
  }
  [[nodiscard]] const Value* strip(Index index) const {
    return values_.data() + index * kWidth * k_;
  }

 private:
  Index k_;
  std::vector<Value> values_;
};

template <class Value>
struct Block {
  std::array<std::array<Value, kBlockCols>, kBlockRows> sum{};
  std::array<std::array<Value, kBlockCols>, kBlockRows> magnitude{};
};

template <class Value>
Value magnitude_of(Value value) {
  return value < 0 ? -value : value;
}
template <>
double magnitude_of(double value) {
  return std::fabs(value);
}

template <class Value>
Block<Value> multiply(const Value* a, const Value* b, Index k) {
  Block<Value> block;
  for (Index p = 0; p < k; ++p, a += kBlockRows, b += kBlockCols)
    for (size_t i = 0; i < kBlockRows; ++i)
      for (size_t j = 0; j < kBlockCols; ++j) {
        const Value product = a[i] * b[j];
        block.sum[i][j] += product;
        block.magnitude[i][j] += magnitude_of(product);
      }
  return block;
}

/// A sum of products of factors that may lie so far off that their magnitudes are up to `most`.
Sum widened(Sum sum, double most, const Problem& problem) {
  if (!problem.staged || most == sum.magnitude) return sum;
  // Both magnitudes were rounded on their way.
  const double rounding = static_cast<double>(problem.k) * 0x1p-52 * most;
  sum.below = std::max(most - sum.magnitude, 0.0) + rounding;
  sum.magnitude = most;
  return sum;
}

/// What a factor may be at most, without its sign.
double greatest(const Multiplied& factor) { return std::fabs(factor.value) + factor.error; }

/// Which columns of B: those of acc, or those of a gate.
using FactorOfB = Multiplied (ReferenceInputs::*)(Index, Index, Index) const;

/// The strips of both operands, each element as `of` makes it of its factor.
template <class Value>
struct Factors {
  template <class Of>
  Factors(const ReferenceInputs& inputs, Index batch, Of of,
          FactorOfB factor_b = &ReferenceInputs::factor_b)
      : Factors(inputs, batch, of, inputs.parts[static_cast<size_t>(batch)], factor_b) {}
  template <class Of>
  Factors(const ReferenceInputs& inputs, Index batch, Of of, const GroupPart& part,
          FactorOfB factor_b)
      : a(part.m.size(), part.k.size(),
          [&](Index m, Index k) {
            return of(inputs.factor_a(batch, part.m.first + m, part.k.first + k));
          }),
        b(part.n.size(), part.k.size(),
          [&](Index n, Index k) {
            return of((inputs.*factor_b)(batch, part.k.first + k, part.n.first + n));
          }),
        k(part.k.size()) {}
  [[nodiscard]] Block<Value> block(Index m, Index n) const {
    return multiply(a.strip(m / kBlockRows), b.strip(n / kBlockCols), k);
  }

  Strips<Value, kBlockRows> a;
  Strips<Value, kBlockCols> b;
  Index k;
};

/// Calls `sink(element, sum)` for the elements of one matrix.
template <class Value, class Sink>
void multiply_matrix(const ReferenceInputs& inputs, Index batch, Sink& sink) {
  const Problem& problem = inputs.problem;
  const GroupPart& part = inputs.parts[static_cast<size_t>(batch)];
  const Index rows = part.m.size(), columns = part.n.size();
  const auto value_of = [](const Multiplied& factor) { return factor.value; };
  const Factors<Value> exact(inputs, batch, value_of);
  std::optional<Factors<Value>> gate;
  if (problem.gate) gate.emplace(inputs, batch, value_of, &ReferenceInputs::factor_gate);
  // Where factors have errors, the greatest that products may be.
  std::optional<Factors<double>> most;
  if (problem.staged) most.emplace(inputs, batch, greatest);
  for (Index m = 0; m < rows; m += kBlockRows)
    for (Index n = 0; n < columns; n += kBlockCols) {
      const auto block = exact.block(m, n);
      const auto greatest_block = most ? most->block(m, n) : Block<double>();
      const auto gate_block = gate ? gate->block(m, n) : Block<Value>();
      for (Index i = 0; i < std::min(kBlockRows, rows - m); ++i)
        for (Index j = 0; j < std::min(kBlockCols, columns - n); ++j) {
          const auto row = static_cast<size_t>(i), col = static_cast<size_t>(j);
          Sum sum = widened({static_cast<double>(block.magnitude[row][col]),
                             static_cast<long double>(block.sum[row][col])},
                            greatest_block.sum[row][col], problem);
          sum.gate_magnitude = static_cast<double>(gate_block.magnitude[row][col]);
          sum.gate_value = static_cast<long double>(gate_block.sum[row][col]);
          sink(ResultElement{batch, part.m.first + m + i, part.n.first + n + j}, sum);
        }
    }
}

template <class Sink>
void multiply_all(const ReferenceInputs& inputs, Sink sink) {
  const Problem& problem = inputs.problem;
  if (problem.m == 0 || problem.n == 0 || inputs.parts.empty()) return;
  for (Index batch = 0; batch < problem.batch; ++batch) {
    if (*problem.accumulate == DType::s32)
      multiply_matrix<std::int64_t>(inputs, batch, sink);
    else if (problem.accumulate == DType::f64)
      multiply_matrix<long double>(inputs, batch, sink);
    else
      multiply_matrix<double>(inputs, batch, sink);
  }
}

template <class Value>
Sum sum_of_element(const ReferenceInputs& inputs, const ResultElement& element) {
  Value sum = 0, magnitude = 0, gate = 0, gate_magnitude = 0;
  double most = 0;
  const IndexRange part = inputs.parts[static_cast<size_t>(element.batch)].k;
  for (Index k = part.first; k < part.end; ++k) {
    const Multiplied a = inputs.factor_a(element.batch, element.row, k),
                     b = inputs.factor_b(element.batch, k, element.col);
    const Value product = static_cast<Value>(a.value) * static_cast<Value>(b.value);
    sum += product;
    magnitude += magnitude_of(product);
    most += greatest(a) * greatest(b);
    if (!inputs.problem.gate) continue;
    const Multiplied other = inputs.factor_gate(element.batch, k, element.col);
    const Value gated = static_cast<Value>(a.value) * static_cast<Value>(other.value);
    gate += gated;
    gate_magnitude += magnitude_of(gated);
  }
  // Of wider types the magnitude may be less than the same sum of doubles.
  Sum result = widened({static_cast<double>(magnitude), static_cast<long double>(sum)},
                       std::max(most, static_cast<double>(magnitude)), inputs.problem);
  result.gate_magnitude = static_cast<double>(gate_magnitude);
  result.gate_value = static_cast<long double>(gate);
  return result;
}

/// The element by the row of the product that it is of, and the matrix of the batch, where groups
/// have parts of one D.
std::optional<ResultElement> in_its_group(const ReferenceInputs& inputs, ResultElement element) {
  if (!inputs.rows_d.empty()) {
    const auto row = std::ranges::find(inputs.rows_d, element.row);
    if (row == inputs.rows_d.end()) return std::nullopt;
    element.row = row - inputs.rows_d.begin();
  }
  const auto holds = [](const IndexRange& range, Index at) {
    return range.first <= at && at < range.end;
  };
  const auto is_of = [&](const GroupPart& part) {
    return holds(part.m, element.row) && holds(part.n, element.col);
  };
  if (!inputs.problem.groups) return element;
  if (inputs.problem.d.broadcast) {
    const auto group = std::ranges::find_if(inputs.parts, is_of);
    if (group == inputs.parts.end()) return std::nullopt;
    element.batch = group - inputs.parts.begin();
    return element;
  }
  const bool is_computed =
      !inputs.parts.empty() && is_of(inputs.parts[static_cast<size_t>(element.batch)]);
  return is_computed ? std::optional(element) : std::nullopt;
}

}  // namespace

void each_sum(const ReferenceInputs& inputs,
              const std::function<void(const ResultElement&, const Sum&)>& sink) {
  multiply_all(inputs, std::cref(sink));
}

}  // namespace gemm

OperandBytes operand_bytes(const Problem& given) {
  const Problem problem = completed(given);
  const auto bytes = [](const Matrix& operand, const gemm::MatrixExtents& extents) {
    return byte_count(operand.type, gemm::span_elems(operand, extents));
  };
  OperandBytes result{
      bytes(problem.a, gemm::extents_a(problem)), bytes(problem.b, gemm::extents_b(problem)),
      bytes(problem.c, gemm::extents_c(problem)), bytes(problem.d, gemm::extents_d(problem))};
  const auto numbers = [&](const std::optional<BlockValues>& given, TensorRole operand) {
    return given ? bytes(*given, gemm::extents_of_blocks(problem, given->block, operand)) : 0;
  };
  result.scale_a = numbers(problem.scale_a.scale, TensorRole::a);
  result.scale_b = numbers(problem.scale_b.scale, TensorRole::b);
  result.zero_a = numbers(problem.scale_a.zero, TensorRole::a);
  result.zero_b = numbers(problem.scale_b.zero, TensorRole::b);
  if (!problem.epilogue) return result;
  const Epilogue& epilogue = *problem.epilogue;
  for (size_t i = 0; i < epilogue.inputs.size(); ++i)
    result.inputs.push_back(epilogue.inputs[i].by_value
                                ? 0
                                : bytes(epilogue.inputs[i], gemm::extents_of_input(problem, i)));
  for (size_t i = 0; i < epilogue.outputs.size(); ++i)
    result.outputs.push_back(is_d(epilogue.expression.outputs[i])
                                 ? 0
                                 : bytes(epilogue.outputs[i], gemm::extents_of_output(problem, i)));
  return result;
}

Reference reference_gemm(const Problem& problem, const HostOperands& operands, double alpha,
                         double beta, double u_acc) {
  const gemm::ReferenceInputs inputs(problem, operands, alpha, beta, u_acc);
  const Problem& whole = inputs.problem;
  if (gemm::adds_rows(whole)) return gemm::added_rows(inputs, operands.d);
  const bool has_rest = whole.groups || whole.d.rows;  // elements that nobody computes
  const Index elements = checked_mul(checked_mul(rows_in_memory(whole.d, whole.m), whole.n),
                                     gemm::matrices_of_d(whole));
  Reference reference{
      std::vector<double>(static_cast<size_t>(elements)),
      std::vector<double>(static_cast<size_t>(elements), has_rest ? gemm::kInfinity : 0)};
  if (has_rest && whole.epilogue) {
    const EpilogueInterval any{-gemm::kInfinity, gemm::kInfinity, true};
    reference.lies.assign(static_cast<size_t>(elements), any);
  }
  gemm::multiply_all(inputs, [&](const ResultElement& element, const gemm::Sum& sum) {
    const std::optional<Index> row = gemm::row_in_d(inputs, element.row);
    if (!row) return;
    const gemm::Judgement judged = gemm::judgement(inputs, element, sum);
    const size_t at = gemm::place_in_d(whole, {element.batch, *row, element.col});
    reference.value[at] = judged.value;
    reference.bound[at] = judged.bound;
    if (judged.lies) {
      reference.lies.resize(reference.value.size());
      reference.lies[at] = *judged.lies;
    }
  });
  return reference;
}

std::vector<Reference> reference_outputs(const Problem& problem, const HostOperands& operands,
                                         double alpha, double beta, double u_acc) {
  const gemm::ReferenceInputs inputs(problem, operands, alpha, beta, u_acc);
  if (!inputs.problem.epilogue) return {reference_gemm(problem, operands, alpha, beta, u_acc)};
  std::vector<Reference> references = gemm::gathered_outputs(inputs);
  for (std::size_t i = 0; i < references.size(); ++i)
    if (gemm::adds_rows(inputs.problem) && is_d(inputs.epilogue.outputs[i]))
      references[i] = gemm::added_rows(inputs, operands.d);
  return references;
}

Reference reference_elements(const Problem& problem, const HostOperands& operands,
                             std::span<const ResultElement> elements, double alpha, double beta,
                             double u_acc) {
  const gemm::ReferenceInputs inputs(problem, operands, alpha, beta, u_acc);
  Reference reference;
  const auto sum_of = [&](const ResultElement& element) {
    return *inputs.problem.accumulate == DType::s32
               ? gemm::sum_of_element<std::int64_t>(inputs, element)
               : gemm::sum_of_element<long double>(inputs, element);
  };
  if (gemm::adds_rows(inputs.problem)) {
    std::vector<std::byte> zeros;
    const gemm::HostMatrix before = gemm::rows_before(inputs.problem, operands.d, zeros);
    for (const ResultElement& element : elements) {
      const gemm::Judgement judged = gemm::added_element(inputs, before, element, sum_of);
      reference.value.push_back(judged.value);
      reference.bound.push_back(judged.bound);
    }
    return reference;
  }
  for (const ResultElement& given : elements) {
    const std::optional<ResultElement> computed = gemm::in_its_group(inputs, given);
    if (!computed) {  // it is no group's
      reference.value.push_back(0);
      reference.bound.push_back(gemm::kInfinity);
      if (inputs.problem.epilogue)
        reference.lies.push_back({-gemm::kInfinity, gemm::kInfinity, true});
      continue;
    }
    const ResultElement& element = *computed;
    const gemm::Judgement judged = gemm::judgement(inputs, element, sum_of(element));
    reference.value.push_back(judged.value);
    reference.bound.push_back(judged.bound);
    if (judged.lies) reference.lies.push_back(*judged.lies);
  }
  return reference;
}

double accumulator_roundoff(DType accumulate, ProductUnit unit) {
  if (is_integer(accumulate)) return 0.0;
  const bool is_coarser = unit == ProductUnit::tensor_core && accumulate != DType::f64;
  return std::ldexp(1.0, -precision_bits(accumulate) + is_coarser);
}

}  // namespace jute
