#pragma once
// The lines of a text, and the names in a line of code.
#include <algorithm>
#include <cctype>
#include <string_view>

namespace jute::emit {

/// Calls `take` with every line and its line end.
template <class Take>
void for_each_line(std::string_view text, Take take) {
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    take(text.substr(0, end));
    text.remove_prefix(end);
  }
}

/// A letter, a digit or an underscore.
[[nodiscard]] inline bool is_of_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// Calls `take` with every name and number.
template <class Take>
void for_each_name(std::string_view line, Take take) {
  for (size_t at = 0; at < line.size();) {
    size_t end = at;
    while (end < line.size() && is_of_name(line[end])) ++end;
    if (end > at) take(line.substr(at, end - at));
    at = end + 1;
  }
}

/// Without what the line says of itself.
[[nodiscard]] inline std::string_view without_comment(std::string_view line) {
  return line.substr(0, line.find("//"));
}

}  // namespace jute::emit
