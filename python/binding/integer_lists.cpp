// Reads vectors of integers, and what tables of rows make of a product's extents.
#include "integer_lists.hpp"

namespace jute::python {

GroupIndex read_integers(Array& array, nb::handle object, const char* name, const char* what) {
  if (!nb::hasattr(object, "dtype")) (void)array_of(object, name);
  const nb::object dtype = object.attr("dtype");
  std::string type = nb::cast<std::string>(nb::str(nb::handle(dtype)));
  if (const std::size_t dot = type.rfind('.'); dot != std::string::npos) type.erase(0, dot + 1);
  if (type != "int32" && type != "int64")
    refuse(ErrorCode::wrong_type, name, type, "its integers must be of 32 or 64 bits, with a sign",
           "int32");
  const GroupIndex index = type == "int64" ? GroupIndex::i64 : GroupIndex::i32;
  // Its bits cross as they are.
  array = array_of(object, name, index == GroupIndex::i64 ? DType::f64 : DType::s32);
  if (array.rank != 1)
    refuse(ErrorCode::wrong_arity, name, std::to_string(array.rank) + " axes",
           std::string("it must be a vector, an integer for each ") + what, "1 axis");
  if (array.extent[0] > 1 && array.stride[0] != 1)
    refuse(ErrorCode::unsupported, name, "stride " + std::to_string(array.stride[0]),
           "its integers must follow each other", "1");
  return index;
}

Index integer_at(const Array& array, GroupIndex index, Index place) {
  if (index == GroupIndex::i64)
    return Index{reinterpret_cast<const std::int64_t*>(array.address)[place]};
  return Index{reinterpret_cast<const std::int32_t*>(array.address)[place]};
}

namespace {

/// The table of rows_a or rows_d over so many rows of memory, whose array `bound` gets.
RowTable read_row_table(Bound& bound, const Operands& operands, TensorRole role,
                        Index memory_rows) {
  const char* const name = jute::name(role).data();
  BoundArray& made = bound.arrays.emplace_back(BoundArray{role, name, {}});
  return {read_integers(made.array, operands.given[role], name, "row"), memory_rows};
}

}  // namespace

TabledRows read_rows(Bound& bound, const Operands& operands, Index rows_of_a,
                     std::optional<int> axis_of_rows) {
  TabledRows rows{.m = rows_of_a, .of_d = rows_of_a};
  if (operands.has(TensorRole::rows_a)) {
    rows.a = read_row_table(bound, operands, TensorRole::rows_a, rows_of_a);
    rows.m = rows.of_d = bound.array_of(TensorRole::rows_a).extent[0];
  }
  const bool has_d = operands.has(TensorRole::rows_d);
  if ((rows.a || has_d) && !axis_of_rows)
    refuse(ErrorCode::wrong_arity, "a", "1 axis", "rows by a table need an a with rows", "2 axes");
  if (!has_d && operands.store == RowStore::add)
    refuse(ErrorCode::wrong_arity, "rows_d", "None",
           "it must be given where rows are added: it says to which");
  if (!has_d) return rows;
  if (operands.out.is_none())
    refuse(ErrorCode::wrong_arity, "out", "None",
           "it must be given: rows_d says which of its rows are written, and not how many it has");
  const Array out = array_of(operands.out, "out");
  const auto axis = static_cast<std::size_t>(*axis_of_rows);
  if (axis >= out.extents().size())
    refuse(ErrorCode::wrong_arity, "out", std::to_string(out.rank) + " axes",
           "it must have the result's axes");
  rows.of_d = out.extents()[axis];
  rows.d = read_row_table(bound, operands, TensorRole::rows_d, rows.of_d);
  rows.d->store = operands.store;
  if (const Index count = bound.array_of(TensorRole::rows_d).extent[0]; count != rows.m)
    refuse(ErrorCode::not_compatible, "rows_d", std::to_string(count),
           "it must have an integer for each row of the product, of which there are " +
               std::to_string(rows.m),
           std::to_string(rows.m));
  return rows;
}

void refuse_row(const Bound& bound, TensorRole operand, Index entry) {
  const RowTable& table = *matrix_of(bound.problem, operand)->rows;
  const TensorRole role = operand == TensorRole::a ? TensorRole::rows_a : TensorRole::rows_d;
  refuse(ErrorCode::out_of_range, std::string(name(role)) + "[" + std::to_string(entry) + "]",
         std::to_string(integer_at(bound.array_of(role), table.index, entry)),
         "it must be -1, which is none, or a row from 0 to " + std::to_string(table.rows - 1) +
             ": it counted as -1",
         "-1");
}

}  // namespace jute::python
