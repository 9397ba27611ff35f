#pragma once
// Element types of memory and arguments in launch files, and numbers on their way into them.
#include <jute/base/json_value.hpp>
#include <jute/base/types.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace jute::command {

/// A number as a file spells it.
using Number = JsonNumber;
[[nodiscard]] double as_double(const Number& number);

struct ElementType {
  enum class Kind : std::uint8_t { floating, signed_integer, unsigned_integer };
  std::string_view name;   ///< "bf16"
  std::string_view descr;  ///< as .npy files spell it
  int bytes = 0;
  Kind kind = Kind::floating;
  std::optional<DType> dtype;  ///< of floating types

  [[nodiscard]] bool is_integer() const { return kind != Kind::floating; }
};

/// Null where there is no such type.
[[nodiscard]] const ElementType* find_element_type(std::string_view name);
/// The type that elements of this numpy spelling are taken for; null for records and the like.
[[nodiscard]] const ElementType* type_of_descr(std::string_view descr);
[[nodiscard]] std::vector<std::string> element_type_names();

/// The bits of an element, in the low bytes. Floating types round to nearest even; nothing where
/// the type cannot hold the number: a finite one is not taken for an infinity.
[[nodiscard]] std::optional<std::uint64_t> encode(const ElementType& type, const Number& number);
/// "a whole number from 0 to 255", "a number from -65504 to 65504, nan, inf or -inf"
[[nodiscard]] std::string range_text(const ElementType& type);
/// The element at an index of packed elements. Integers of 64 bits are exact.
[[nodiscard]] long double decode(const ElementType& type, std::span<const std::byte> bytes,
                                 size_t index);
/// The shortest text that tells an element's value.
[[nodiscard]] std::string value_text(const ElementType& type, long double value);

}  // namespace jute::command
