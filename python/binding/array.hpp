#pragma once
// Arrays of other libraries as addresses with strides: nothing is copied, nothing waits.
#include <jute/base/types.hpp>

#include <array>
#include <optional>
#include <string>

#include "convert.hpp"

namespace jute::python {

inline constexpr int kMostAxes = 8;
inline constexpr int kHost = -1;

/// Who made an array, and so makes others like it.
enum class Library : std::uint8_t { torch, cuda_array, dlpack, numpy };

struct Array {
  Library library = Library::numpy;
  DType type = DType::f32;
  int device = kHost;  ///< ordinal of the GPU whose memory it is
  std::uint64_t address = 0;
  int rank = 0;
  std::array<Index, kMostAxes> extent{}, stride{};  ///< strides in elements
  std::uint64_t stream = 0;                         ///< on which it was last written, where it says
  bool read_only = false;                           ///< as far as its library says
  bool needs_gradient = false;                      ///< a torch tensor that autograd follows
};

/// `name` is what refusals call it. `as` reads the elements as another type of equal width.
///   throws  wrong_type: no array; too many axes; unknown_name: its element type
[[nodiscard]] Array array_of(nb::handle object, const char* name,
                             std::optional<DType> as = std::nullopt);
/// The same of what is written.   throws  unsupported: its library says that it is read-only
[[nodiscard]] Array writable_array_of(nb::handle object, const char* name,
                                      std::optional<DType> as = std::nullopt);
/// An array of `like`'s library and device with unset elements.
[[nodiscard]] nb::object new_array(nb::handle like, const Array& form, DType type,
                                   nb::handle shape);
/// The stream that new work of its library goes to; a torch tensor's is the current one.
[[nodiscard]] std::uint64_t current_stream(const Array& array);
/// Does torch record what is launched there instead of running it?
[[nodiscard]] bool is_capturing(const Array& array);

}  // namespace jute::python
