#pragma once
// The types that instructions move and multiply, from one bit to complex doubles.
#include <jute/base/export.hpp>
#include <jute/base/types.hpp>

#include <iosfwd>
#include <optional>
#include <span>
#include <string_view>

namespace JUTE_API jute {

/// One value of a fragment. A regular value; every instance is a line of one table, so the texts
/// live as long as the program. DType has the element types of a GEMM, this has all that an
/// instruction names: s4, u1, e2m1, c64 (complex of f64), ue8m0, and `sparse2:f16`, one logical
/// value of 2:4 sparse storage (two of them share the bits of one f16).
struct ValueType {
  std::string_view name;       ///< "f16"
  std::string_view ptx;        ///< how a mnemonic spells it: "f16", "b1" for u1
  std::string_view cute;       ///< how CuTe spells it in C++: "half_t"; empty when it never does
  std::string_view tag;        ///< how an atom's name spells it: "F16"; empty when it never does
  int bits = 0;                ///< width of one stored element
  std::optional<DType> dtype;  ///< the GEMM element type, if it is one
  int values_per_element =
      1;  ///< logical values that one stored element stands for: 2 in sparse2:f16

  constexpr bool operator==(const ValueType& other) const { return name == other.name; }
};

/// Bits that `count` logical values occupy.
[[nodiscard]] constexpr int storage_bits(const ValueType& type, int count) {
  return type.bits * count / type.values_per_element;
}
/// All types, in the order of their table.
[[nodiscard]] std::span<const ValueType> value_types();
/// By any of its spellings: "f16", "half_t", "cutlass::half_t".
[[nodiscard]] std::optional<ValueType> find_value_type(std::string_view text);
///   throws  unknown_name: lists the known types
[[nodiscard]] ValueType parse_value_type(std::string_view text);
[[nodiscard]] ValueType value_type(DType type);
std::ostream& operator<<(std::ostream& out, const ValueType& type);

}  // namespace jute
