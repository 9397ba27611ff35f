// Cuts a text into names, numbers, texts in quotes and signs.
#include "support/kernel_tokens.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace jute::test {
namespace {

// `>>` is two: templates close so.
constexpr std::array<std::string_view, 21> kSigns{"<<=", "...", "::", "->", "++", "--", "&&",
                                                  "||",  "==",  "!=", "<=", ">=", "<<", "+=",
                                                  "-=",  "*=",  "/=", "%=", "&=", "|=", "^="};

bool is_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Where what begins at `at` ends, and what it is.
std::size_t end_of(std::string_view text, std::size_t at, KernelToken::Kind& kind) {
  using Kind = KernelToken::Kind;
  std::size_t end = at + 1;
  if (is_of_name(text[at])) {
    const bool is_number = std::isdigit(static_cast<unsigned char>(text[at])) != 0;
    kind = is_number ? Kind::number : Kind::name;
    while (end < text.size() && (is_of_name(text[end]) || (is_number && text[end] == '.'))) ++end;
    return end;
  }
  if (text[at] == '"' || text[at] == '\'') {
    kind = Kind::text;
    while (end < text.size() && text[end] != text[at]) end += text[end] == '\\' ? 2 : 1;
    return end + 1;
  }
  kind = Kind::sign;
  for (const std::string_view one : kSigns)
    if (text.substr(at).starts_with(one)) return at + one.size();
  return end;
}

}  // namespace

std::vector<KernelToken> kernel_tokens(const std::string& text) {
  std::vector<KernelToken> tokens;
  int line = 1;
  bool begins_line = true;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '\n') {
      ++line, ++at, begins_line = true;
    } else if (text[at] == ' ') {
      ++at;
    } else if (text.compare(at, 2, "//") == 0 || (begins_line && text[at] == '#')) {
      at = std::min(text.find('\n', at), text.size());
    } else {
      KernelToken token;
      token.line = line;
      const std::size_t end = end_of(text, at, token.kind);
      token.text = text.substr(at, end - at);
      tokens.push_back(std::move(token));
      at = end;
      begins_line = false;
    }
  }
  return tokens;
}

std::string_view KernelCursor::text(std::size_t ahead) const {
  return at + ahead < tokens.size() ? std::string_view(tokens[at + ahead].text) : "";
}

bool KernelCursor::is(std::string_view sign, std::size_t ahead) const {
  return text(ahead) == sign;
}

bool KernelCursor::is_name(std::size_t ahead) const {
  return at + ahead < tokens.size() && tokens[at + ahead].kind == KernelToken::Kind::name;
}

int KernelCursor::line() const { return tokens[std::min(at, tokens.size() - 1)].line; }

std::string KernelCursor::told(std::size_t from) const {
  constexpr std::size_t kMost = 100;
  std::string all;
  for (std::size_t i = from; i < at; ++i) all += (i > from ? " " : "") + tokens[i].text;
  return all.substr(0, kMost);
}

bool KernelCursor::take(std::string_view sign) {
  if (!is(sign)) return false;
  ++at;
  return true;
}

void KernelCursor::skip_to(std::string_view sign) {
  while (!is_at_end() && !is(sign)) {
    if (is("(") || is("{") || is("["))
      skip_group();
    else
      ++at;
  }
}

void KernelCursor::skip_group() {
  int depth = 0;
  do {
    if (is("(") || is("{") || is("[")) ++depth;
    if (is(")") || is("}") || is("]")) --depth;
    ++at;
  } while (depth > 0 && !is_at_end());
}

void KernelCursor::skip_template() {
  int depth = 0;
  do {
    if (is("<")) ++depth;
    if (is(">")) --depth;
    ++at;
  } while (depth > 0 && !is_at_end());
}

}  // namespace jute::test
