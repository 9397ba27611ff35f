// The right results of a problem, and how far a kernel's may lie from them.
#include "gemm/added_rows.hpp"
#include "gemm/operands.hpp"

#include <jute/base/checked.hpp>
#include <jute/epilogue/types.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

namespace jute {
namespace gemm {
namespace {

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

}  // namespace gemm

OperandBytes operand_bytes(const Problem& given) {
  const Problem problem = completed(given);
  OperandBytes bytes;
  for (const TensorRole role : kAllTensors)
    if (const Matrix* const matrix = matrix_of(problem, role))
      bytes[role] = byte_count(matrix->type, gemm::span_elems(*matrix, extents_of(problem, role)));
  return bytes;
}

Reference reference_gemm(const Problem& problem, const HostOperands& operands, double alpha,
                         double beta, double u_acc) {
  const gemm::ReferenceInputs inputs(problem, operands, alpha, beta, u_acc);
  const Problem& whole = inputs.problem;
  if (gemm::adds_rows(whole)) return gemm::added_rows(inputs, operands.memory[TensorRole::d]);
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
  gemm::each_sum(inputs, [&](const ResultElement& element, const gemm::Sum& sum) {
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

ComputedOperand computed_operand(const Problem& given, const Reference& reference) {
  const Problem problem = completed(given);
  Matrix d = problem.d;
  d.type = DType::f64;
  const MatrixExtents extents = extents_of(problem, TensorRole::d);
  // Where each element lies: a D whose elements are their own places.
  std::vector<double> places(static_cast<size_t>(gemm::span_elems(d, extents)));
  std::iota(places.begin(), places.end(), 0);
  const gemm::HostMatrix lies("d", d, extents, std::as_bytes(std::span(places)));
  ComputedOperand operand{std::vector<double>(places.size()), std::vector<double>(places.size())};
  size_t from = 0;
  for (Index batch = 0; batch < extents.batch; ++batch)
    for (Index row = 0; row < extents.rows; ++row)
      for (Index col = 0; col < extents.cols; ++col, ++from) {
        const auto to = static_cast<size_t>(lies.at(batch, row, col));
        operand.value[to] = reference.value[from];
        operand.error[to] = reference.bound[from];
      }
  return operand;
}

std::vector<Reference> reference_outputs(const Problem& problem, const HostOperands& operands,
                                         double alpha, double beta, double u_acc) {
  const gemm::ReferenceInputs inputs(problem, operands, alpha, beta, u_acc);
  if (!inputs.problem.epilogue) return {reference_gemm(problem, operands, alpha, beta, u_acc)};
  std::vector<Reference> references = gemm::gathered_outputs(inputs);
  for (std::size_t i = 0; i < references.size(); ++i)
    if (gemm::adds_rows(inputs.problem) && is_d(inputs.epilogue.outputs[i]))
      references[i] = gemm::added_rows(inputs, operands.memory[TensorRole::d]);
  return references;
}

Reference reference_elements(const Problem& problem, const HostOperands& operands,
                             std::span<const ResultElement> elements, double alpha, double beta,
                             double u_acc) {
  const gemm::ReferenceInputs inputs(problem, operands, alpha, beta, u_acc);
  Reference reference;
  const auto sum_of = [&](const ResultElement& element) { return gemm::sum_of(inputs, element); };
  if (gemm::adds_rows(inputs.problem)) {
    std::vector<std::byte> zeros;
    const gemm::HostMatrix before =
        gemm::rows_before(inputs.problem, operands.memory[TensorRole::d], zeros);
    for (const ResultElement& element : elements)
      gemm::append(reference, gemm::added_element(inputs, before, element, sum_of));
    return reference;
  }
  for (const ResultElement& given : elements) {
    const std::optional<ResultElement> element = gemm::in_its_group(inputs, given);
    gemm::Judgement judged{0, gemm::kInfinity};  // where it is no group's
    if (element)
      judged = gemm::judgement(inputs, *element, sum_of(*element));
    else if (inputs.problem.epilogue)
      judged.lies = {-gemm::kInfinity, gemm::kInfinity, true};
    gemm::append(reference, judged);
  }
  return reference;
}

double accumulator_roundoff(DType accumulate, ProductUnit unit) {
  if (is_integer(accumulate)) return 0.0;
  const bool is_coarser = unit == ProductUnit::tensor_core && accumulate != DType::f64;
  return std::ldexp(1.0, -precision_bits(accumulate) + is_coarser);
}

}  // namespace jute
