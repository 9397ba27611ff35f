#pragma once
// Addresses: what threads and their unrolled values touch of a layout, split for a kernel to write.
#include <jute/base/export.hpp>
#include <jute/layout/swizzle.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace JUTE_API jute {

/// How an address splits into a part for each thread and a part for each unrolled value.
enum class AddressForm : std::uint8_t {
  affine,    ///< thread(t) + value(v): there is no swizzle
  folded,    ///< (thread(t) ^ flip(v)) + value(v): the swizzle is paid once a thread
  evaluated  ///< swizzle(offset + t's part + value(v)): nothing folds, every value pays
};
[[nodiscard]] std::string_view name(AddressForm form);

/// (thread, value) -> offset. In a kernel the thread's part is computed once; of an unrolled value
/// the parts are immediates: one to add, which accesses take for nothing, and one to XOR, which
/// values share.
struct Address {
  AddressForm form = AddressForm::affine;
  ComposedLayout thread;  ///< thread -> base; evaluated: swizzle and offset come after the sum
  Layout value;           ///< value -> what is added
  Layout flip;            ///< value -> what is XORed; its modes meet by XOR. Folded ones only

  /// The part of an address that a thread computes once.
  [[nodiscard]] Index base(Index thread_index) const;
  /// Where a value lies, by its thread's base.
  [[nodiscard]] Index at(Index base, Index value_index) const;
  [[nodiscard]] Index operator()(Index thread_index, Index value_index) const {
    return at(base(thread_index), value_index);
  }
  bool operator==(const Address&) const = default;
};

/// Where `layout` has the coordinates of `tv`: address(t, v) == layout(tv(t, v)). Composition gives
/// the parts before the swizzle. Behind it they fold where values only move bits, below the span of
/// the swizzle, that are 0 in every thread's part: then nothing carries, and the swizzle of the sum
/// is the XOR of the swizzles. To the base of an address whose form is not `evaluated` a kernel may
/// add any multiple of the span: stages lie that far apart.
///   shapes   tv: (thread, value) -> one-dimensional coordinate of `layout`, both modes nested at
///            will
///   units    elements, like the layouts
///   example  address_of("Sw<3,3,3>o0o(64,64):(64,1)", "((8,2),(4,2)):((1,512),(1024,32))") is
///            Sw<3,3,3>(thread (8,2):(64,8)) ^ value (4,2):(16,0) + value (4,2):(0,2048)
///   throws   wrong_arity: tv has not two modes; out_of_range: a coordinate outside the layout;
///            not_divisible: a mode of tv straddles one of the layout; wrong_type: unit vectors;
///            overflow: offsets that do not fit
[[nodiscard]] Address address_of(const ComposedLayout& layout, const Layout& tv);
/// Same result; nothing instead of an exception. For plans that try many layouts.
[[nodiscard]] std::optional<Address> try_address_of(const ComposedLayout& layout, const Layout& tv);

/// The same address counted in bytes, of elements of so many: a power of two.
[[nodiscard]] Address in_bytes(const Address& address, int element_bytes);

/// Elements after which a swizzle repeats: swizzle(x + span) == swizzle(x) + span. 1 for the
/// identity.
[[nodiscard]] Index swizzle_span(const Swizzle& swizzle);

/// `Sw<3,3,3>(thread 128:8) ^ value 32:0 + value (8,4):(1,1024)`: as it is computed.
[[nodiscard]] std::string to_string(const Address& address);
std::ostream& operator<<(std::ostream& out, const Address& address);

}  // namespace jute
