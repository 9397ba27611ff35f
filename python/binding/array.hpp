#pragma once
// Arrays of other libraries as addresses with strides: nothing is copied, nothing waits.
#include <jute/base/types.hpp>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>

#include "convert.hpp"

namespace jute::python {

inline constexpr int kMostAxes = 16;
inline constexpr int kHost = -1;

/// Who made an array, and so makes others like it.
enum class Library : std::uint8_t { torch, cuda_array, dlpack, numpy };

struct Exchange;

struct Array {
  Library library = Library::numpy;
  DType type = DType::f32;
  int device = kHost;  ///< ordinal of the GPU whose memory it is
  std::uint64_t address = 0;
  int rank = 0;
  std::array<Index, kMostAxes> extent{}, stride{};  ///< strides in elements
  std::uint64_t stream = 0;                         ///< on which it was last written, where it says
  bool read_only = false;                           ///< as far as its library says
  const Exchange* exchange = nullptr;               ///< its library's C functions, where it has any

  [[nodiscard]] std::span<const Index> extents() const {
    return {extent.data(), static_cast<std::size_t>(rank)};
  }
  [[nodiscard]] std::span<const Index> strides() const {
    return {stride.data(), static_cast<std::size_t>(rank)};
  }
};

/// A shape, kept where it stands: calls are many, and memory is slow to ask for.
class Extents {
 public:
  Extents() = default;
  Extents(std::initializer_list<Index> extents) : Extents(std::span<const Index>(extents)) {}
  Extents(std::span<const Index> extents) {  // NOLINT: an array's extents are ones
    for (const Index extent : extents) push_back(extent);
  }
  /// throws  out_of_range: more axes than an array has
  void push_back(Index extent);
  [[nodiscard]] std::size_t size() const { return count_; }
  [[nodiscard]] const Index* begin() const { return at_.data(); }
  [[nodiscard]] const Index* end() const { return at_.data() + count_; }
  [[nodiscard]] Index& operator[](std::size_t i) { return at_[i]; }
  [[nodiscard]] Index operator[](std::size_t i) const { return at_[i]; }
  bool operator==(const Extents& other) const {
    return std::equal(begin(), end(), other.begin(), other.end());
  }

 private:
  std::array<Index, kMostAxes> at_;
  std::size_t count_ = 0;
};
[[nodiscard]] nb::object to_tuple_object(const Extents& extents);

/// `name` is what refusals call it. `as` reads the elements as another type of equal width.
///   throws  wrong_type: no array, a number, one with a mask; elements of another width, of a type
///           that jute has not, of another order of bytes, narrower than their bytes; out_of_range:
///           too many axes; unsupported: a tensor elsewhere, or negated; misaligned
[[nodiscard]] Array array_of(nb::handle object, const char* name,
                             std::optional<DType> as = std::nullopt);
/// The same of what is written.   throws  unsupported: its library says that it is read-only
[[nodiscard]] Array writable_array_of(nb::handle object, const char* name,
                                      std::optional<DType> as = std::nullopt);
/// An array of `like`'s library and device with unset elements. A tensor of torch's has in memory
/// these of its axes, the last one fastest; none, and what others make: all in their order.
[[nodiscard]] nb::object new_array(nb::handle like, const Array& form, DType type,
                                   const Extents& shape, const Extents& axes = {});
/// One element of `form`'s type that is 1, where `like`'s are.
[[nodiscard]] nb::object new_one(nb::handle like, const Array& form);
/// throws  unsupported: what is written certainly shares elements with an operand: both begin at
///         one place, or overlap and have no gaps
void refuse_shared(const Array& out, const Array& operand, const char* name);
/// A tensor of torch's that autograd follows.
[[nodiscard]] bool needs_gradient(const Array& array, nb::handle object);
/// The stream that new work of its library goes to; a torch tensor's is the current one.
[[nodiscard]] std::uint64_t current_stream(const Array& array);
/// Does torch record what is launched there instead of running it?
[[nodiscard]] bool is_capturing(const Array& array);

}  // namespace jute::python
