// Adds up what every row of the product leaves in D, and what additions may lose.
#include "gemm/added_rows.hpp"

#include <jute/base/checked.hpp>
#include <jute/epilogue/types.hpp>

#include <cmath>

namespace jute::gemm {

void AddedElement::add(const Judgement& judged) {
  value_ += judged.value;
  error_ += judged.bound;
  magnitude_ += std::abs(judged.value) + judged.bound;
  ++count_;
}

Judgement AddedElement::sum() const {
  constexpr double kMostInteger = 2147483647.0;
  Judgement result{static_cast<double>(value_), error_};
  if (is_integer(type_)) {
    if (magnitude_ > kMostInteger) result.bound = kInfinity;  // it goes round
  } else if (count_ > 0) {
    // Each addition rounds, and those of f32 in global memory flush what is subnormal.
    const double unit = std::ldexp(1.0, -precision_bits(type_)), least = 0x1p-126;
    result.bound += static_cast<double>(count_) * (unit * magnitude_ * 1.01 + least);
  }
  if (!std::isfinite(result.value) || !(magnitude_ <= largest(type_))) result.bound = kInfinity;
  return result;
}

HostMatrix rows_before(const Problem& problem, std::span<const std::byte> d,
                       std::vector<std::byte>& zeros) {
  const MatrixExtents extents = extents_of(problem, TensorRole::d);
  if (d.empty()) {
    zeros.resize(static_cast<size_t>(byte_count(problem.d.type, span_elems(problem.d, extents))));
    d = zeros;
  }
  return {"d", problem.d, extents, d};
}

namespace {

/// By matrices, rows and columns of D's memory.
template <class Element>
void each_element(const Problem& problem, const Element& element) {
  const Index rows = rows_in_memory(problem.d, problem.m);
  for (Index batch = 0; batch < matrices_of_d(problem); ++batch)
    for (Index row = 0; row < rows; ++row)
      for (Index col = 0; col < problem.n; ++col) element(batch, row, col);
}

}  // namespace

Reference added_rows(const ReferenceInputs& inputs, std::span<const std::byte> d) {
  const Problem& problem = inputs.problem;
  std::vector<std::byte> zeros;
  const HostMatrix before = rows_before(problem, d, zeros);
  std::vector<AddedElement> elements;
  each_element(problem, [&](Index batch, Index row, Index col) {
    elements.emplace_back(problem.d.type, before.at(batch, row, col));
  });
  each_sum(inputs, [&](const ResultElement& element, const Sum& sum) {
    const std::optional<Index> row = row_in_d(inputs, element.row);
    if (row)
      elements[place_in_d(problem, {element.batch, *row, element.col})].add(
          judgement(inputs, element, sum));
  });
  Reference reference;
  for (const AddedElement& element : elements) append(reference, element.sum());
  return reference;
}

Judgement added_element(const ReferenceInputs& inputs, const HostMatrix& before,
                        const ResultElement& element,
                        const std::function<Sum(const ResultElement&)>& sum_of) {
  AddedElement all(inputs.problem.d.type, before.at(element.batch, element.row, element.col));
  for (size_t row = 0; row < inputs.rows_d.size(); ++row) {
    if (inputs.rows_d[row] != element.row) continue;
    const auto m = static_cast<Index>(row);
    for (size_t batch = 0; batch < inputs.parts.size(); ++batch) {
      const IndexRange& part = inputs.parts[batch].m;
      const bool is_its_matrix = inputs.problem.groups ? part.first <= m && m < part.end
                                                       : static_cast<Index>(batch) == element.batch;
      const ResultElement one{static_cast<Index>(batch), m, element.col};
      if (is_its_matrix) all.add(judgement(inputs, one, sum_of(one)));
    }
  }
  return all.sum();
}

}  // namespace jute::gemm
