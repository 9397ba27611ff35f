// Reads statements: comments, names, expressions.
#include <jute/expr/session.hpp>

#include "expr/reader.hpp"

namespace jute {
namespace {

using expr::is_letter;
using expr::is_word_char;

/// `#` anywhere, `//` anywhere: no value has either.
std::string_view without_comment(std::string_view text) {
  return text.substr(0, std::min(text.find('#'), text.find("//")));
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) + 1 - first);
}

/// Where `name =` ends; 0 where the statement does not begin with it. `auto` and `Layout` before
/// the name, as in C++, are passed over.
struct Assignment {
  std::string_view name;
  std::size_t expression = 0;
};
Assignment assignment_of(std::string_view text) {
  std::size_t at = 0;
  if (text.starts_with("auto ")) at = text.find_first_not_of(' ', 5);
  const std::size_t start = at;
  while (at < text.size() && is_word_char(text[at])) ++at;
  const std::string_view name = text.substr(start, at - start);
  at = std::min(text.find_first_not_of(" \t", at), text.size());
  const bool equals = at < text.size() && text[at] == '=';
  return equals ? Assignment{name, at + 1} : Assignment{};
}

void check_name(std::string_view name) {
  if (!name.empty() && (is_letter(name.front()) || (name.front() == '_' && name.size() > 1)) &&
      name != "o")
    return;
  throw Exception({.code = ErrorCode::syntax,
                   .operand = "name",
                   .value = name.empty() ? "''" : std::string(name),
                   .violated_rules = {"a name must begin with a letter, and must not be o"},
                   .position = SourcePosition{1, 1}});
}

}  // namespace

Statement EvalSession::run(std::string_view statement) {
  const std::string_view text = trimmed(without_comment(statement));
  if (text.empty()) return {};
  const Assignment assignment = assignment_of(text);
  if (assignment.expression == 0) {
    Evaluation result = expr::evaluated(text, catalogue_, variables_);
    return {.name = {}, .value = std::move(result.value), .remarks = std::move(result.remarks)};
  }
  check_name(assignment.name);
  const std::string_view expression = text.substr(assignment.expression);
  Evaluation result = expr::evaluated(expression, catalogue_, variables_);
  variables_.insert_or_assign(std::string(assignment.name), result.value);
  return {.name = std::string(assignment.name),
          .value = std::move(result.value),
          .remarks = std::move(result.remarks)};
}

std::vector<std::string> EvalSession::names() const {
  std::vector<std::string> names;
  for (const auto& [name, value] : variables_) names.push_back(name);
  return names;
}

}  // namespace jute
