// A row for each tensor of a problem; inputs and outputs of the epilogue by their places.
#include <jute/base/checked.hpp>
#include <jute/plan/ask/epilogue.hpp>
#include <jute/plan/ask/operand_extents.hpp>
#include <jute/plan/ask/problem_tensors.hpp>

#include <algorithm>

namespace jute {
namespace {

struct MatrixRow {
  TensorRole role;
  Matrix Problem::*matrix;
  MatrixExtents (*extents)(const Problem&);
};
/// Numbers of an operand's blocks.
struct NumbersRow {
  TensorRole role, of;
  TensorContent holds;
  OperandScale Problem::*scale;
  std::optional<BlockValues> OperandScale::*numbers;
};

using P = Problem;
using S = OperandScale;
using enum TensorRole;

// clang-format off
constexpr MatrixRow kMatrices[] = {
    {a, &P::a, [](const P& p) { return MatrixExtents{rows_in_memory(p.a, p.m), p.k, p.batch}; }},
    {b, &P::b, [](const P& p) { return MatrixExtents{p.k, columns_of_b(p), p.batch}; }},
    {c, &P::c, [](const P& p) { return MatrixExtents{p.m, p.n, p.batch}; }},
    {d, &P::d, [](const P& p) { return MatrixExtents{rows_in_memory(p.d, p.m), p.n, p.batch}; }},
};
constexpr NumbersRow kNumbers[] = {
    {scale_a, a, TensorContent::scales, &P::scale_a, &S::scale},
    {scale_b, b, TensorContent::scales, &P::scale_b, &S::scale},
    {zero_a, a, TensorContent::zero_points, &P::scale_a, &S::zero},
    {zero_b, b, TensorContent::zero_points, &P::scale_b, &S::zero},
};
// clang-format on

template <class Row, std::size_t Count>
constexpr ByTensor<const Row*> by_role(const Row (&table)[Count]) {
  ByTensor<const Row*> rows;
  for (const Row& row : table) rows[row.role] = &row;
  return rows;
}
constexpr ByTensor<const MatrixRow*> kMatrixOf = by_role(kMatrices);
constexpr ByTensor<const NumbersRow*> kNumbersOf = by_role(kNumbers);

/// Its place among the epilogue's inputs, or its outputs.
std::size_t place_of(TensorRole role) {
  return static_cast<std::size_t>(role) -
         static_cast<std::size_t>(is_input(role) ? first_input : first_output);
}

}  // namespace

bool is_matrix(TensorRole role) {
  return kMatrixOf[role] != nullptr || is_of_blocks(role) || is_input(role) || is_output(role);
}

bool is_of_blocks(TensorRole role) { return kNumbersOf[role] != nullptr; }

TensorContent content_of(TensorRole role) {
  return is_of_blocks(role) ? kNumbersOf[role]->holds : TensorContent::elements;
}

TensorRole operand_of_blocks(TensorRole role) { return kNumbersOf[role]->of; }

std::optional<BlockValues>& numbers_of_blocks(Problem& problem, TensorRole role) {
  return problem.*kNumbersOf[role]->scale.*kNumbersOf[role]->numbers;
}

Matrix* matrix_of(Problem& problem, TensorRole role) {
  if (const MatrixRow* const row = kMatrixOf[role]) return &(problem.*row->matrix);
  if (is_of_blocks(role)) {
    std::optional<BlockValues>& numbers = numbers_of_blocks(problem, role);
    return numbers ? &*numbers : nullptr;
  }
  if (!problem.epilogue || !(is_input(role) || is_output(role))) return nullptr;
  auto& [expression, inputs, outputs] = *problem.epilogue;
  const std::size_t place = place_of(role);
  if (is_input(role))
    return place < inputs.size() && !inputs[place].by_value ? &inputs[place] : nullptr;
  return place < outputs.size() && !is_d(expression.outputs[place]) ? &outputs[place] : nullptr;
}

const Matrix* matrix_of(const Problem& problem, TensorRole role) {
  return matrix_of(const_cast<Problem&>(problem), role);
}

MatrixExtents extents_of(const Problem& problem, TensorRole role) {
  if (const MatrixRow* const row = kMatrixOf[role]) return row->extents(problem);
  if (const NumbersRow* const row = kNumbersOf[role]) {
    const ValueBlock block = (problem.*row->scale.*row->numbers)->block;
    const auto blocks = [](Index extent, Index one) {
      return one == 0 ? 1 : ceil_div(extent, one);
    };
    const Index mn = blocks(row->of == a ? problem.m : problem.n, block.mn),
                k = blocks(problem.k, block.k);
    return {row->of == a ? mn : k, row->of == a ? k : mn, problem.batch};
  }
  const Epilogue& epilogue = *problem.epilogue;
  const std::size_t place = place_of(role);
  if (is_input(role)) {
    const auto [rows, cols] = extents_of(problem, epilogue.expression.inputs[place]);
    return {rows, cols, problem.batch};
  }
  const EpilogueOutput& output = epilogue.expression.outputs[place];
  const auto [rows, cols] = extents_of(problem, output);
  const bool is_one = problem.groups && epilogue.outputs[place].broadcast && problem.d.broadcast;
  return {is_d(output) ? rows_in_memory(problem.d, rows) : rows, cols,
          is_one ? std::min<Index>(problem.batch, 1) : problem.batch};
}

}  // namespace jute
