// The operands of a reference, as the caller's memory holds them.
#include <jute/base/refuse.hpp>
#include <jute/epilogue/fold.hpp>
#include <jute/epilogue/types.hpp>
#include <jute/plan/ask/operand_extents.hpp>
#include <jute/plan/ask/split.hpp>

#include <algorithm>
#include <string>

#include "gemm/block_reference.hpp"
#include "gemm/operands.hpp"

namespace jute::gemm {

namespace {

struct ScaleFactors {
  double alpha, beta;
};

/// Adds everything that the problem's own epilogue reads.
void add_epilogue(ReferenceInputs& all, const HostOperands& operands, const ScaleFactors& given) {
  const Epilogue& epilogue = *all.problem.epilogue;
  std::vector<DType> read;
  if (c_read(all.problem) != CRead::never) read.push_back(all.problem.c.type);
  for (size_t i = 0; i < epilogue.inputs.size(); ++i) {
    const EpilogueOperand& operand = epilogue.inputs[i];
    read.push_back(operand.type);
    const double value = i < operands.input_values.size() ? operands.input_values[i] : 0;
    all.input_values.push_back(operand.by_value ? rounded(operand.type, value) : 0);
  }
  all.compute = compute_type(epilogue.expression, *all.problem.accumulate, read);
  all.arithmetic = arithmetic_of(epilogue.expression);
  all.blocks = blocks_of(epilogue.expression);
  all.alpha = rounded_scale(all.compute, given.alpha);
  all.beta = rounded_scale(all.compute, given.beta);
}

/// A table's rows of memory, -1 where it names none; empty where the matrix has no table.
std::vector<Index> named_rows(const char* operand, const Matrix& matrix, Index m,
                              std::vector<Index> table) {
  if (!matrix.rows) return {};
  if (static_cast<Index>(table.size()) != m)
    refuse(ErrorCode::out_of_range, operand, std::to_string(table.size()),
           "the table must have an entry for each row", std::to_string(m));
  for (Index& row : table)
    if (row < 0 || row >= matrix.rows->rows) row = -1;
  return table;
}

/// Rows that several of the product's are stored to may hold any of these: -1 in place of them.
std::vector<Index> named_once(std::vector<Index> table) {
  std::vector<Index> sorted = table;
  std::ranges::sort(sorted);
  for (Index& row : table) {
    const auto [first, last] = std::equal_range(sorted.begin(), sorted.end(), row);
    if (last - first > 1) row = -1;
  }
  return table;
}

}  // namespace

HostMatrix host_matrix(const Problem& problem, TensorRole role, std::span<const std::byte> memory) {
  const Matrix* const own = matrix_of(problem, role);
  const Matrix& matrix = own != nullptr ? *own : problem.d;
  const MatrixExtents extents = extents_of(problem, role);
  const auto of_epilogue = [&](const auto& named) {
    HostMatrix made(named.name, matrix, extents, memory);
    return is_of_bits(problem.epilogue->expression, named)
               ? HostMatrix::of_bits(std::move(made), matrix.order)
               : made;
  };
  const auto place = [&](TensorRole first) {
    return static_cast<size_t>(role) - static_cast<size_t>(first);
  };
  if (is_input(role))
    return of_epilogue(problem.epilogue->expression.inputs[place(TensorRole::first_input)]);
  if (is_output(role))
    return of_epilogue(problem.epilogue->expression.outputs[place(TensorRole::first_output)]);
  return {name(role), matrix, extents, memory};
}

DType scale_type(DType accumulate) {
  return accumulate == DType::s32 || accumulate == DType::f64 ? accumulate : DType::f32;
}

double rounded_scale(DType accumulate, double scale) {
  return rounded(scale_type(accumulate), scale);
}

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
  parts = parts_of(problem, operands.ends);
  rows_a = named_rows("rows_a", problem.a, problem.m, operands.rows_a);
  rows_d = named_rows("rows_d", problem.d, problem.m, operands.rows_d);
  if (problem.d.rows && problem.d.rows->store == RowStore::put)
    rows_d = named_once(std::move(rows_d));
  const auto read_operand = [&](TensorRole role, const ComputedOperand* computed, Viewing viewing,
                                std::optional<HostMatrix>& error) {
    const std::string_view what = name(role);
    const MatrixExtents extents = extents_of(problem, role);
    Matrix operand = *matrix_of(problem, role);
    if (computed == nullptr)
      return HostMatrix(what, operand, extents, operands.memory[role], viewing);
    operand.type = DType::f64;  // as its values and errors are held
    error.emplace(what, operand, extents, std::as_bytes(std::span(computed->error)), viewing);
    return HostMatrix(what, operand, extents, std::as_bytes(std::span(computed->value)), viewing);
  };
  a = read_operand(TensorRole::a, operands.computed_a, Viewing::as_matrix, error_a);
  b = read_operand(TensorRole::b, operands.computed_b, Viewing::turned, error_b);
  reads_c = jute::reads_c(problem, beta);
  for (const TensorRole role : kAllTensors) {
    if (matrix_of(problem, role) == nullptr || is_written(role) || role <= TensorRole::b) continue;
    if (role != TensorRole::c || reads_c)
      matrices[role] = host_matrix(problem, role, operands.memory[role]);
  }
  if (is_converted(problem.a, problem.scale_a, problem.staged))
    converted_a.emplace(problem, TensorRole::a, matrices);
  if (is_converted(problem.b, problem.scale_b, problem.staged))
    converted_b.emplace(problem, TensorRole::b, matrices);
  if (problem.epilogue) add_epilogue(*this, operands, {given_alpha, given_beta});
  if (has_sums || split_of(problem.precision) != nullptr) sums = operand_sums(*this);
}

// Where zero stands for an element, it is the number zero.
Multiplied ReferenceInputs::factor_a(Index batch, Index m, Index k) const {
  if (!rows_a.empty()) m = rows_a[static_cast<size_t>(m)];
  if (m < 0) return {};
  const double element = a.at(batch, m, k);
  Multiplied factor = converted_a && !a.is_outside(batch, m, k)
                          ? converted_a->factor(element, batch, m, k)
                          : Multiplied{element, 0};
  if (error_a) factor.error += error_a->at(batch, m, k);
  return factor;
}
Multiplied ReferenceInputs::factor_b(Index batch, Index k, Index n) const {
  if (problem.gate) n = problem.gate == GateColumns::pairs ? 2 * n + 1 : problem.n + n;
  const double element = b.at(batch, k, n);
  Multiplied factor = converted_b && !b.is_outside(batch, k, n)
                          ? converted_b->factor(element, batch, n, k)
                          : Multiplied{element, 0};
  if (error_b) factor.error += error_b->at(batch, k, n);
  return factor;
}
Multiplied ReferenceInputs::factor_gate(Index batch, Index k, Index n) const {
  return {b.at(batch, k, problem.gate == GateColumns::pairs ? 2 * n : n), 0};
}

}  // namespace jute::gemm
