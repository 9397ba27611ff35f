// Splits a PTX text into tokens that know their line and column.
#include "emulator/ptx/ptx_token.hpp"

#include <utility>

namespace jute::emulator {

void refuse_ptx(SourcePosition position, std::string value, std::string rule) {
  throw Exception(Error{.code = ErrorCode::bad_file,
                        .operand = "ptx",
                        .value = std::move(value),
                        .violated_rules = {std::move(rule)},
                        .nearest_legal = std::nullopt,
                        .position = position,
                        .detail = {}});
}

namespace {

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c == '%';
}
bool is_name_part(char c) { return (is_letter(c) && c != '%') || is_digit(c); }

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  std::vector<Token> run() {
    std::vector<Token> tokens;
    tokens.reserve(text_.size() / 4);
    for (;;) {
      skip_blanks();
      const Token token = next();
      tokens.push_back(token);
      if (token.kind == TokenKind::end) return tokens;
    }
  }

 private:
  [[nodiscard]] char peek(size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  [[nodiscard]] SourcePosition position() const {
    return {line_, static_cast<int>(at_ - line_start_) + 1};
  }
  void advance() {
    if (text_[at_++] == '\n') {
      ++line_;
      line_start_ = at_;
    }
  }
  void skip_line() {
    while (at_ < text_.size() && text_[at_] != '\n') ++at_;
  }

  void skip_blanks() {
    while (at_ < text_.size()) {
      const char c = peek();
      if (c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v') {
        advance();
      } else if ((c == '/' && peek(1) == '/') || (c == '#' && at_ == line_start_)) {
        skip_line();
      } else if (c == '/' && peek(1) == '*') {
        skip_comment();
      } else if (c == '\0' && at_ + 1 == text_.size()) {
        ++at_;  // a terminator that a C caller handed over with the text
      } else {
        return;
      }
    }
  }
  void skip_comment() {
    const SourcePosition start = position();
    at_ += 2;
    while (!(peek() == '*' && peek(1) == '/')) {
      if (at_ >= text_.size()) refuse_ptx(start, "/*", "a comment must be closed");
      advance();
    }
    at_ += 2;
  }

  [[nodiscard]] Token token(TokenKind kind, size_t length) {
    const Token result{kind, text_.substr(at_, length), position()};
    at_ += length;
    return result;
  }

  Token next() {
    const char c = peek();
    if (at_ >= text_.size()) return token(TokenKind::end, 0);
    if (c == '%' && !is_name_part(peek(1))) return token(TokenKind::mark, 1);
    if (is_letter(c)) return token(TokenKind::word, name_length(1));
    if (is_digit(c)) return token(TokenKind::number, number_length());
    if (c == '.') return token(TokenKind::dotted, dotted_length());
    if (c == '"') return quoted();
    if (std::string_view("{}()[],;:+-*/<>=!|@&~?^").find(c) != std::string_view::npos)
      return token(TokenKind::mark, 1);
    refuse_ptx(position(), std::string(1, c), "it must be a character that occurs in PTX");
  }

  [[nodiscard]] size_t name_length(size_t from) const {
    size_t length = from;
    while (is_name_part(peek(length))) ++length;
    return length;
  }
  [[nodiscard]] size_t dotted_length() const {
    size_t length = name_length(1);
    if (length == 1) refuse_ptx(position(), ".", "a name must follow a dot");
    while (peek(length) == ':' && peek(length + 1) == ':' && is_name_part(peek(length + 2)))
      length = name_length(length + 2);
    return length;
  }
  // Hexadecimal digits, 0f/0d bit patterns and the suffix U are all name characters.
  [[nodiscard]] size_t number_length() const {
    size_t length = name_length(1);
    const bool bits = peek() == '0' && (peek(1) == 'x' || peek(1) == 'X' || peek(1) == 'f' ||
                                        peek(1) == 'F' || peek(1) == 'd' || peek(1) == 'D');
    if (bits) return length;
    if (peek(length) == '.' && (is_digit(peek(length + 1)) || !is_name_part(peek(length + 1)) ||
                                peek(length + 1) == 'e' || peek(length + 1) == 'E'))
      length = name_length(length + 1);
    const char last = peek(length - 1);
    if ((last == 'e' || last == 'E') && (peek(length) == '-' || peek(length) == '+'))
      length = name_length(length + 1);
    return length;
  }
  Token quoted() {
    const SourcePosition start = position();
    size_t length = 1;
    while (peek(length) != '"') {
      if (at_ + length >= text_.size() || peek(length) == '\n')
        refuse_ptx(start, "\"", "a string must be closed on its line");
      length += peek(length) == '\\' ? 2 : 1;
    }
    const Token result{TokenKind::text, text_.substr(at_ + 1, length - 1), start};
    at_ += length + 1;
    return result;
  }

  std::string_view text_;
  size_t at_ = 0;
  size_t line_start_ = 0;
  int line_ = 1;
};

}  // namespace

std::vector<Token> tokenize(std::string_view ptx) { return Lexer(ptx).run(); }

}  // namespace jute::emulator
