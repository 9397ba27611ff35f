#pragma once
// Numbers that a whole text spells.
#include <jute/base/export.hpp>

#include <charconv>
#include <concepts>
#include <optional>
#include <string_view>

namespace JUTE_API jute {

/// Nothing where something else stands in the text, or beside the number.
///   example  parsed_number<int>("12") is 12, of "12 " and "+12" there is none
template <class Number, std::same_as<int>... Base>
[[nodiscard]] std::optional<Number> parsed_number(std::string_view text, Base... base) {
  Number number{};
  const char* const end = text.data() + text.size();
  const auto [stop, status] = std::from_chars(text.data(), end, number, base...);
  return status == std::errc() && stop == end ? std::optional(number) : std::nullopt;
}

}  // namespace jute
