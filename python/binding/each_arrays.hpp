#pragma once
// Groups with arrays of their own, as lists of them.
#include <optional>
#include <vector>

#include "scaled_operands.hpp"

namespace jute::python {

/// A group's arrays. Of elements of 4 bits `a` and `b` are those, which lie in bytes.
struct OwnArrays {
  Array a, b, c, d;
  Array bytes_a, bytes_b;
  Array scale_a, zero_a, scale_b, zero_b;  ///< with two axes, where there are any
  nb::object out;
};

/// Are zero points a list, or one number for all groups?
[[nodiscard]] inline bool has_zeros(const Side& side) {
  return !side.zero.is_none() && !is_number(side.zero);
}

/// One kind of operand in every group.
using OfGroup = Array OwnArrays::*;

/// From one row, or column, to the next; none where the array does not lie so. That of a single one
/// is whatever suits.
[[nodiscard]] std::optional<Index> ld_of_array(const Array& array, Order order);
/// The matrix that describes all of them: an order, and what their addresses and steps keep.
///   throws  unsupported: some lie by rows, some by columns
[[nodiscard]] Matrix matrix_of_all(const std::vector<OwnArrays>& groups, OfGroup operand,
                                   const char* name);
/// As many as there are groups, or none where the list is None.   throws  not_compatible
void check_count(const char* name, const nb::object& list, std::size_t count);
/// The arrays of each group, out and c lists, too; results are made where `out` is None.
///   throws  wrong_arity, wrong_type, not_compatible
[[nodiscard]] std::vector<OwnArrays> arrays_of(const Wish& wish, const nb::list& a,
                                               const nb::list& b, const Operands& lists);
/// An operand's numbers as the problem knows them, in blocks of one size.
///   throws  not_compatible: a group has not a number for each block
[[nodiscard]] OperandScale scale_of_all(const std::vector<OwnArrays>& groups, const Side& side);

}  // namespace jute::python
