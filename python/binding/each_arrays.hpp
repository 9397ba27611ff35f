#pragma once
// Groups with arrays of their own, as lists of them.
#include <optional>
#include <vector>

#include "scaled_operands.hpp"

namespace jute::python {

/// A tensor of a group; of elements of 4 bits those, and the bytes in which they lie.
struct OwnArray {
  TensorRole role = TensorRole::a;
  Array elements, bytes;
};

/// A group's arrays, each with two axes.
struct OwnArrays {
  std::vector<OwnArray> all;
  nb::object out;

  /// Null where the product has none.
  [[nodiscard]] const OwnArray* find(TensorRole role) const {
    const auto found = std::ranges::find(all, role, &OwnArray::role);
    return found == all.end() ? nullptr : &*found;
  }
  ///   needs  one of that role
  [[nodiscard]] const Array& operator[](TensorRole role) const { return find(role)->elements; }
};

/// Are zero points a list, or one number for all groups?
[[nodiscard]] inline bool has_zeros(const Side& side) {
  return !side.zero.is_none() && !is_number(side.zero);
}

/// From one row, or column, to the next; none where the array does not lie so. That of a single one
/// is whatever suits.
[[nodiscard]] std::optional<Index> ld_of_array(const Array& array, Order order);
/// The matrix that describes all of them: an order, and what their addresses and steps keep.
///   throws  unsupported: some lie by rows, some by columns
[[nodiscard]] Matrix matrix_of_all(const std::vector<OwnArrays>& groups, TensorRole role);
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
