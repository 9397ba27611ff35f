#pragma once
// Vectors of integers that kernels read: lists of groups, tables of rows.
#include "product.hpp"

namespace jute::python {

/// A vector of integers as it lies; `what` ends the sentence that refuses another shape.
///   throws  wrong_type, wrong_arity, unsupported: its integers do not follow each other
[[nodiscard]] GroupIndex read_integers(Array& array, nb::handle object, const char* name,
                                       const char* what);
[[nodiscard]] Index integer_at(const Array& array, GroupIndex index, Index place);

/// Rows of the product and of its result, by what the tables say.
struct TabledRows {
  Index m = 0, of_d = 0;
  std::optional<RowTable> a{}, d{};
};
/// Reads both tables; without any the rows are those of a.
///   throws  wrong_arity: rows_d is given without out; not_compatible: another length than M
[[nodiscard]] TabledRows read_rows(Bound& bound, const Operands& operands, Index rows_of_a,
                                   std::optional<int> axis_of_rows);

/// An entry that was wrong, of a run on the emulator.
///   throws  out_of_range
void refuse_row(const Bound& bound, TensorRole operand, Index entry);

}  // namespace jute::python
