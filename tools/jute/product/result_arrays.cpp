// What a run wrote, as arrays for files.
#include "product/result_arrays.hpp"

#include <jute/epilogue/types.hpp>
#include <jute/plan/ask/operand_extents.hpp>

#include <cstring>
#include <optional>
#include <utility>

#include "files/matrix_elements.hpp"

namespace jute::command {
namespace {

/// A matrix or a vector, or a batch of them, as `matrix` lays it out in memory. The shape is that
/// of one: two extents, one, or none.
NpyArray array_of(const Matrix& matrix, const OperandExtents& extents, std::vector<Index> shape,
                  std::optional<Index> batch, const std::vector<std::byte>& memory) {
  NpyArray array{
      .descr = std::string(npy_descr(matrix.type)), .shape = std::move(shape), .bytes = {}};
  const auto [rows, cols] = extents;
  const bool by_columns = matrix.order == Order::col;
  array.fortran_order = by_columns && !batch && array.shape.size() > 1;
  if (batch) array.shape.insert(array.shape.begin(), *batch);
  const Index matrices = batch.value_or(1);
  const auto width = static_cast<size_t>(width_bytes(matrix.type));
  array.bytes.resize(static_cast<size_t>(matrices * rows * cols) * width);
  // Lines of the file: rows in C order, columns in Fortran order.
  const Index lines = array.fortran_order ? cols : rows, length = array.fortran_order ? rows : cols;
  const MatrixElements element(matrix);
  std::byte* target = array.bytes.data();
  for (Index one = 0; one < matrices; ++one)
    for (Index line = 0; line < lines; ++line)
      for (Index i = 0; i < length; ++i, target += width) {
        const Index at = array.fortran_order ? element(one, i, line) : element(one, line, i);
        std::memcpy(target, memory.data() + static_cast<size_t>(at) * width, width);
      }
  return array;
}

std::optional<Index> batch_of_file(const Problem& problem, bool batched) {
  return batched ? std::optional(problem.batch) : std::nullopt;
}

}  // namespace

NpyArray array_of_d(const Problem& problem, const std::vector<std::byte>& d, bool batched) {
  const Index rows = rows_in_memory(problem.d, problem.m);
  return array_of(problem.d, {rows, problem.n}, {rows, problem.n}, batch_of_file(problem, batched),
                  d);
}

NpyArray array_of_output(const Problem& problem, std::size_t place,
                         const std::vector<std::byte>& bytes, bool batched) {
  const EpilogueExpression& expression = problem.epilogue->expression;
  const EpilogueOutput& output = expression.outputs[place];
  const OperandExtents extents = extents_of(problem, output);  // of bits those of their bytes
  const auto shape = [&]() -> std::vector<Index> {
    switch (output_extent(expression, output)) {
      case EpilogueExtent::scalar:
        return {};
      case EpilogueExtent::rows:
        return {extents.rows};
      case EpilogueExtent::columns:
        return {extents.cols};
      case EpilogueExtent::elements:
      case EpilogueExtent::blocks:
        break;
    }
    return {extents.rows, extents.cols};
  };
  return array_of(problem.epilogue->outputs[place], extents, shape(),
                  batch_of_file(problem, batched), bytes);
}

}  // namespace jute::command
