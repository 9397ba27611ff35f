#pragma once
// What the calls of products have in common.
#include "run.hpp"

namespace jute::python {

/// What a call says besides its arrays. A plain one says nothing and costs nothing.
struct WishWords {
  std::string epilogue, precision, config;
  nb::object dtype, out_dtype, m_range;
  std::string gate = "halves", numbers = "literal";
};
///   throws  unknown_name: a precision, a type, columns of a gate or who says numbers
[[nodiscard]] Wish wish_of(const WishWords& words);
[[nodiscard]] nb::dict dict_or_empty(const nb::object& object);

/// Products are no part of torch's graph: who needs gradients is told where they are.
///   throws  unsupported: gradients are recorded
void refuse_gradients();
/// The same where an operand needs them.
void check_gradients(const Bound& bound, nb::handle a, nb::handle b);

void add_to(std::string& key, const auto& value) {
  key.append(reinterpret_cast<const char*>(&value), sizeof value);
}
/// All of an array that a problem can depend on.
void add_array(std::string& key, const Array& array);

}  // namespace jute::python
