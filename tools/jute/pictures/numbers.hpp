#pragma once
// Numbers as people read them.
#include <string>

namespace jute::bench {

/// `fixed(2.5, 2)` is "2.50".
[[nodiscard]] std::string fixed(double value, int digits);
/// `scientific(0.00123)` is "1.2e-03".
[[nodiscard]] std::string scientific(double value);
/// Blanks on the left, or on the right, up to `width`.
[[nodiscard]] std::string right(const std::string& text, size_t width);
[[nodiscard]] std::string left(const std::string& text, size_t width);

}  // namespace jute::bench
