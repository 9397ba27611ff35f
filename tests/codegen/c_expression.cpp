// A recursive-descent reader of the expressions that index functions consist of.
#include "c_expression.hpp"

#include <array>
#include <cctype>
#include <stdexcept>

namespace jute::test {
namespace {

// Loosest first, as in C; operators of one level associate to the left.
constexpr std::array<std::array<std::string_view, 3>, 5> kLevels{
    {{"^"}, {"&"}, {"<<", ">>"}, {"+"}, {"*", "/", "%"}}};

Index apply(std::string_view op, Index left, Index right) {
  if (op == "^") return left ^ right;
  if (op == "&") return left & right;
  if (op == "<<") return left << right;
  if (op == ">>") return left >> right;
  if (op == "+") return left + right;
  if (op == "*") return left * right;
  return op == "/" ? left / right : left % right;
}

class Reader {
 public:
  Reader(std::string_view text, const std::map<std::string, Index>& variables)
      : rest_(text), variables_(variables) {}

  Index all() {
    const Index value = level(0);
    skip_spaces();
    if (!rest_.empty()) fail();
    return value;
  }

 private:
  [[noreturn]] void fail() const {
    throw std::logic_error("not an expression: " + std::string(rest_));
  }
  void skip_spaces() {
    while (rest_.starts_with(' ')) rest_.remove_prefix(1);
  }
  bool take(std::string_view token) {
    skip_spaces();
    if (token.empty() || !rest_.starts_with(token)) return false;
    rest_.remove_prefix(token.size());
    return true;
  }
  std::string word() {
    skip_spaces();
    std::string text;
    while (!rest_.empty() &&
           (std::isalnum(static_cast<unsigned char>(rest_[0])) || rest_[0] == '_')) {
      text += rest_[0];
      rest_.remove_prefix(1);
    }
    if (text.empty()) fail();
    return text;
  }
  std::string_view taken_operator(size_t depth) {
    for (const std::string_view op : kLevels[depth])
      if (take(op)) return op;
    return {};
  }
  Index level(size_t depth) {
    if (depth == kLevels.size()) return primary();
    Index value = level(depth + 1);
    for (auto op = taken_operator(depth); !op.empty(); op = taken_operator(depth))
      value = apply(op, value, level(depth + 1));
    return value;
  }
  Index primary() {
    if (take("(")) {
      const Index value = level(0);
      if (!take(")")) fail();
      return value;
    }
    const std::string text = word();
    if (std::isdigit(static_cast<unsigned char>(text[0]))) return std::stoll(text, nullptr, 0);
    const auto found = variables_.find(text);
    if (found == variables_.end()) throw std::logic_error("no such variable: " + text);
    return found->second;
  }

  std::string_view rest_;
  const std::map<std::string, Index>& variables_;
};

/// What stands between two marks, the first of which is searched from `from`.
std::string between(const std::string& text, const std::string& open, const std::string& close,
                    size_t from) {
  const size_t start = text.find(open, from);
  if (start == std::string::npos) throw std::logic_error("the text has no " + open);
  const size_t first = start + open.size();
  return text.substr(first, text.find(close, first) - first);
}

}  // namespace

Index evaluate_c(std::string_view text, const std::map<std::string, Index>& variables) {
  return Reader(text, variables).all();
}

DeviceFunction::DeviceFunction(const std::string& text, const std::string& name) {
  const std::string head = "int " + name + "(";
  const size_t at = text.find(head);
  if (at == std::string::npos) throw std::logic_error("the text has no function " + name);
  std::string list = between(text, head, ")", at) + ",";
  for (size_t end = list.find(','); end != std::string::npos; end = list.find(',')) {
    parameters_.push_back(list.substr(list.rfind(' ', end) + 1, end - list.rfind(' ', end) - 1));
    list.erase(0, end + 1);
  }
  const std::string body = between(text, "{\n  ", "\n}", at);
  if (body.starts_with("const int x = ")) local_ = between(body, "const int x = ", ";", 0);
  result_ = between(body, "return ", ";", 0);
}

Index DeviceFunction::operator()(const std::vector<Index>& arguments) const {
  std::map<std::string, Index> variables;
  for (size_t i = 0; i < parameters_.size(); ++i) variables[parameters_[i]] = arguments.at(i);
  if (!local_.empty()) variables["x"] = evaluate_c(local_, variables);
  return evaluate_c(result_, variables);
}

}  // namespace jute::test
