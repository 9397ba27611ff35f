// CuTe's underscores.
#include <jute/layout/cute_text.hpp>

namespace jute {

std::string cute_text(const std::string& notation) {
  std::string result;
  char before = '\0';
  for (const char c : notation) {
    const bool starts_number = c == '-' || (c >= '0' && c <= '9');
    const bool inside = before == '@' || before == '-' || (before >= '0' && before <= '9');
    if (starts_number && !inside) result += '_';
    result += c;
    before = c;
  }
  return result;
}

std::string cute_text(const Layout& layout) { return cute_text(to_string(layout)); }

}  // namespace jute
