// Builds the Errors of the layout layer.
#include <jute/layout/detail/refusal.hpp>

#include <algorithm>

namespace jute::layout {

std::string shortened(std::string text, std::size_t most) {
  if (text.size() <= most) return text;
  const std::string more = std::to_string(text.size() - most) + " more characters";
  text.resize(most);
  return text + "... (" + more + ")";
}

void refuse(ErrorCode code, std::string operand, std::string value, std::string rule,
            std::optional<std::string> nearest_legal) {
  Error error;
  error.code = code;
  error.operand = std::move(operand);
  error.value = shortened(std::move(value), 160);
  error.violated_rules.push_back(shortened(std::move(rule), 320));
  error.nearest_legal = std::move(nearest_legal);
  throw Exception(std::move(error));
}

Excerpt excerpt(std::string_view text, std::size_t column) {
  constexpr std::size_t kBefore = 60;
  constexpr std::size_t kAfter = 60;
  column = std::min(column, text.size());
  const std::size_t begin = column > kBefore ? column - kBefore : 0;
  const std::size_t end = std::min(text.size(), column + kAfter);
  Excerpt result;
  if (begin > 0) result.text += "...";
  result.caret = result.text.size() + column - begin;
  for (const char c : text.substr(begin, end - begin)) {
    const auto code = static_cast<unsigned char>(c);
    // Control characters and parts of longer ones would break the line above the caret.
    result.text += code < 0x20 || code > 0x7E ? '?' : c;
  }
  if (end < text.size()) result.text += "...";
  return result;
}

void refuse_text(const Fault& fault, std::string_view what, std::string_view text) {
  const Excerpt shown = excerpt(text, fault.column);
  Error error;
  error.code = fault.code;
  error.operand = what;
  error.value = shown.text.empty() ? "''" : shown.text;
  error.violated_rules.emplace_back(fault.rule);
  error.position = SourcePosition{1, static_cast<int>(fault.column) + 1};
  error.detail = shown.text + "\n" + std::string(shown.caret, ' ') + "^";
  throw Exception(std::move(error));
}

}  // namespace jute::layout
