#pragma once
// Text from a format string and values, by {fmt}. Its formatting code, seconds of compile time for
// every file that holds it, is compiled once, in format.cpp.
#include <fmt/core.h>

#include <string>

namespace jute::base {

[[nodiscard]] std::string vformat(fmt::string_view text, fmt::format_args values);

/// units    `text` is checked against the values at compile time
/// example  format("{}:{}", shape, stride)
template <class... Values>
[[nodiscard]] std::string format(fmt::format_string<Values...> text, Values&&... values) {
  return base::vformat(text, fmt::make_format_args(values...));
}

}  // namespace jute::base
