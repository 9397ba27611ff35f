#pragma once
// Texts between marks.
#include <jute/base/export.hpp>

#include <string_view>
#include <vector>

namespace JUTE_API jute {

/// The parts of a text, one more than it has marks: of an empty text one that is empty.
template <class Text = std::string_view>
[[nodiscard]] std::vector<Text> split_at(char mark, std::string_view text) {
  std::vector<Text> parts;
  for (;;) {
    const std::size_t end = text.find(mark);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

}  // namespace jute
