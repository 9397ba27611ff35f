#pragma once
// DLPack's C functions of a tensor type: what a tensor is in one call instead of six of Python's.
#include "array.hpp"

namespace jute::python {

/// The functions that a type offers as `__dlpack_c_exchange_api__` (torch's from 2.10 on), in a
/// version that is known here; null: it has none.
[[nodiscard]] const Exchange* exchange_of(nb::handle type);
/// Reads a tensor. False: its functions refuse it, or its elements are of no type that DLPack and
/// jute both name; ask it otherwise. `as` reads the elements as another type.
[[nodiscard]] bool read_tensor(const Exchange& exchange, nb::handle tensor, std::optional<DType> as,
                               Array& array);
/// The stream that the library would launch on; none: it does not say.
[[nodiscard]] std::optional<std::uint64_t> current_stream(const Exchange& exchange, int device);

}  // namespace jute::python
