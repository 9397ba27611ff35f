#pragma once
// Products of lists of arrays.
#include "words.hpp"

namespace jute::python {

/// Of a call whose a and b are lists, plain or scaled; gives the list of results.
///   throws  unsupported: a word that lists have not
[[nodiscard]] nb::object multiply_each(Call& call, Reading reading);

}  // namespace jute::python
