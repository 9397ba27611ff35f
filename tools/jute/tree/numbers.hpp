#pragma once
// Numbers as people read them.
#include <cstdio>
#include <string>

namespace jute::bench {

/// `fixed(2.5, 2)` is "2.50".
[[nodiscard]] inline std::string fixed(double value, int digits) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}
/// `in_digits(1234.5, 3)` is "1.23e+03", of 12.5 it is "12.5".
[[nodiscard]] inline std::string in_digits(double value, int digits) {
  char text[48];
  std::snprintf(text, sizeof text, "%.*g", digits, value);
  return text;
}
/// `scientific(0.00123)` is "1.2e-03".
[[nodiscard]] inline std::string scientific(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1e", value);
  return text;
}
/// Blanks on the left, or on the right, up to `width`.
[[nodiscard]] inline std::string right(const std::string& text, std::size_t width) {
  return text.size() >= width ? text : std::string(width - text.size(), ' ') + text;
}
[[nodiscard]] inline std::string left(const std::string& text, std::size_t width) {
  return text.size() >= width ? text : text + std::string(width - text.size(), ' ');
}

}  // namespace jute::bench
