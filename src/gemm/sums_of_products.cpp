// The sums of products behind every value: the triple loop, blocked in registers, over operands
// unpacked to wide types.
#include "gemm/operands.hpp"

#include <jute/base/checked.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

namespace jute::gemm {
namespace {

// Small enough that sums and magnitudes stay in 16 vector registers of two doubles.
constexpr Index kBlockRows = 2;
constexpr Index kBlockCols = 4;

template <class Value>
Value magnitude_of(Value value) {
  return value < 0 ? -value : value;
}
template <>
double magnitude_of(double value) {
  return std::fabs(value);
}

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
  [[nodiscard]] bool has_below(double least) const {
    return std::ranges::any_of(values_, [&](Value value) {
      return value != 0 && static_cast<double>(magnitude_of(value)) < least;
    });
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
Sum widened(Sum sum, double most, const ReferenceInputs& inputs) {
  if (!inputs.has_errors() || most == sum.magnitude) return sum;
  if (!std::isfinite(most)) {  // of an operand that nobody can judge
    sum.below = kInfinity;
    return sum;
  }
  // Both magnitudes were rounded on their way.
  const double rounding = static_cast<double>(inputs.problem.k) * 0x1p-52 * most;
  sum.below = std::max(most - sum.magnitude, 0.0) + rounding;
  sum.magnitude = most;
  return sum;
}

/// The greatest magnitude that a factor may have.
double greatest(const Multiplied& factor) { return std::fabs(factor.value) + factor.error; }

/// A factor by whose exponent tensor cores align its products: that of the least normal number at
/// least, however small what is multiplied.
double aligned(const Multiplied& factor, double least) {
  const double size = greatest(factor);
  return size == 0 ? 0.0 : std::max(size, least);
}

/// The digits that are lost by that, of the sum of products of aligned factors.
double lost_by_alignment(const ReferenceInputs& inputs, Index batch, double aligned_sum,
                         double magnitude) {
  return static_cast<double>(products_of(inputs, batch) + 2) * inputs.u_acc *
         std::max(aligned_sum - magnitude, 0.0);
}

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
          [&](Index m, Index at) {
            return of(inputs.factor_a(batch, part.m.first + m, part.k.first + at));
          }),
        b(part.n.size(), part.k.size(),
          [&](Index n, Index at) {
            return of((inputs.*factor_b)(batch, part.k.first + at, part.n.first + n));
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
  if (inputs.has_errors()) most.emplace(inputs, batch, greatest);
  const double least = least_normal(inputs);
  const auto aligned_to_least = [least](const Multiplied& factor) {
    return aligned(factor, least);
  };
  std::optional<Factors<double>> low, low_gate;
  if (least > 0 && (exact.a.has_below(least) || exact.b.has_below(least)))
    low.emplace(inputs, batch, aligned_to_least);
  if (gate && least > 0 && (gate->a.has_below(least) || gate->b.has_below(least)))
    low_gate.emplace(inputs, batch, aligned_to_least, &ReferenceInputs::factor_gate);
  for (Index m = 0; m < rows; m += kBlockRows)
    for (Index n = 0; n < columns; n += kBlockCols) {
      const auto block = exact.block(m, n);
      const auto low_block = low ? low->block(m, n) : Block<double>();
      const auto greatest_block = most ? most->block(m, n) : Block<double>();
      const auto gate_block = gate ? gate->block(m, n) : Block<Value>();
      const auto low_gate_block = low_gate ? low_gate->block(m, n) : Block<double>();
      for (Index i = 0; i < std::min(kBlockRows, rows - m); ++i)
        for (Index j = 0; j < std::min(kBlockCols, columns - n); ++j) {
          const auto row = static_cast<size_t>(i), col = static_cast<size_t>(j);
          Sum sum = widened({static_cast<double>(block.magnitude[row][col]),
                             static_cast<long double>(block.sum[row][col])},
                            greatest_block.sum[row][col], inputs);
          if (low)
            sum.below += lost_by_alignment(inputs, batch, low_block.sum[row][col], sum.magnitude);
          sum.gate_magnitude = static_cast<double>(gate_block.magnitude[row][col]);
          sum.gate_value = static_cast<long double>(gate_block.sum[row][col]);
          if (low_gate)
            sum.gate_below =
                lost_by_alignment(inputs, batch, low_gate_block.sum[row][col], sum.gate_magnitude);
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
  double most = 0, low = 0, low_gate = 0;
  const double least = least_normal(inputs);
  const IndexRange part = inputs.parts[static_cast<size_t>(element.batch)].k;
  for (Index k = part.first; k < part.end; ++k) {
    const Multiplied a = inputs.factor_a(element.batch, element.row, k),
                     b = inputs.factor_b(element.batch, k, element.col);
    const Value product = static_cast<Value>(a.value) * static_cast<Value>(b.value);
    sum += product;
    magnitude += magnitude_of(product);
    most += greatest(a) * greatest(b);
    low += aligned(a, least) * aligned(b, least);
    if (!inputs.problem.gate) continue;
    const Multiplied other = inputs.factor_gate(element.batch, k, element.col);
    const Value gated = static_cast<Value>(a.value) * static_cast<Value>(other.value);
    gate += gated;
    gate_magnitude += magnitude_of(gated);
    low_gate += aligned(a, least) * aligned(other, least);
  }
  // In wider types the magnitude may be less than the same sum of doubles.
  Sum result = widened({static_cast<double>(magnitude), static_cast<long double>(sum)},
                       std::max(most, static_cast<double>(magnitude)), inputs);
  if (least > 0) result.below += lost_by_alignment(inputs, element.batch, low, result.magnitude);
  result.gate_magnitude = static_cast<double>(gate_magnitude);
  result.gate_value = static_cast<long double>(gate);
  if (least > 0 && inputs.problem.gate)
    result.gate_below = lost_by_alignment(inputs, element.batch, low_gate, result.gate_magnitude);
  return result;
}

}  // namespace

Sum sum_of(const ReferenceInputs& inputs, const ResultElement& element) {
  return *inputs.problem.accumulate == DType::s32 ? sum_of_element<std::int64_t>(inputs, element)
                                                  : sum_of_element<long double>(inputs, element);
}

void each_sum(const ReferenceInputs& inputs,
              const std::function<void(const ResultElement&, const Sum&)>& sink) {
  multiply_all(inputs, std::cref(sink));
}

}  // namespace jute::gemm
