#pragma once
// Layouts over power-of-two domains as matrices over bits.
#include <jute/base/export.hpp>
#include <jute/layout/swizzle.hpp>

#include <optional>

namespace JUTE_API jute {

/// The function i -> constant ^ (XOR of columns[b] over the bits b that are set in i), for i in
/// [0, 2^columns.size()). Shared-memory layouts with their swizzles have this form: an address
/// splits into the parts of thread, constant and run-time bits, which XOR.
struct XorForm {
  Index constant = 0;
  std::vector<Index> columns;  ///< offset of the coordinate 2^b, without the constant

  [[nodiscard]] int bits() const { return static_cast<int>(columns.size()); }
  [[nodiscard]] Index operator()(Index coordinate) const;
  bool operator==(const XorForm&) const = default;
};

/// The form of a layout on one-dimensional coordinates (first mode in the lowest bits); nothing
/// where an extent is no power of two, a stride is on a unit vector, an offset is negative, or
/// adding the offsets of two digits carries from one bit into another.
///   example  xor_form("Sw<1,0,1>o0o4:1") == {0, {1, 3}}
[[nodiscard]] std::optional<XorForm> xor_form(const ComposedLayout& layout);

/// i -> outer(inner(i)).   throws  out_of_range: an offset of inner lies outside the domain of
/// outer
[[nodiscard]] XorForm composition(const XorForm& outer, const XorForm& inner);
/// How many columns are linearly independent; all of them exactly when no two coordinates share an
/// offset.
[[nodiscard]] int dimension(const XorForm& form);
[[nodiscard]] bool is_injective(const XorForm& form);
/// A form r with r(form(i)) == i, on every offset below the smallest power of two that holds them
/// all.   throws  not_injective
[[nodiscard]] XorForm left_inverse(const XorForm& form);
/// A form r with form(r(x)) == x for every x below that power of two.
///   throws  not_compatible: some offset is not reached
[[nodiscard]] XorForm right_inverse(const XorForm& form);
/// Where an element stored at an offset of `from` lies in `to`: offset in `from` -> offset in `to`.
///   throws  not_compatible: a layout without the form or of another size; not_injective: from
[[nodiscard]] XorForm conversion(const ComposedLayout& from, const ComposedLayout& to);
/// A layout with this form: plain where no two columns share a bit, otherwise behind the swizzle
/// with the fewest bits. Nothing where one swizzle is not enough.
[[nodiscard]] std::optional<ComposedLayout> to_layout(const XorForm& form);

/// One line a column: `bit 3 -> 0x48`.
[[nodiscard]] std::string to_string(const XorForm& form);

}  // namespace jute
