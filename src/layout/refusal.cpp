// Builds the Errors of the layout layer.
#include <jute/base/detail/excerpt.hpp>
#include <jute/layout/detail/refusal.hpp>

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

void refuse_text(const Fault& fault, std::string_view what, std::string_view text) {
  const Excerpt shown = excerpt(text, fault.column);
  Error error;
  error.code = fault.code;
  error.operand = what;
  error.value = shown.text.empty() ? "''" : shown.text;
  error.violated_rules.emplace_back(fault.rule);
  error.position = SourcePosition{1, static_cast<int>(fault.column) + 1};
  error.detail = caret_lines(shown);
  throw Exception(std::move(error));
}

}  // namespace jute::layout
