// Reads the text of a Signature.
#include <jute/base/error.hpp>
#include <jute/base/nearest_name.hpp>
#include <jute/launch/signature.hpp>

#include <utility>

namespace jute {
namespace {

constexpr int kKindCount = static_cast<int>(ParameterKind::bytes) + 1;
constexpr int kMostAlignment = 1024;

bool is_name_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_name_part(char c) { return is_name_start(c) || (c >= '0' && c <= '9'); }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  Signature read() {
    Signature signature;
    expect('(');
    if (!accept(')')) {
      do {
        Parameter parameter{.kind = read_kind()};
        if (parameter.kind == ParameterKind::bytes) read_extent(parameter);
        parameter.name = read_word("a parameter name");
        signature.parameters.push_back(std::move(parameter));
      } while (accept(','));
      expect(')');
    }
    skip_space();
    if (at_ < text_.size()) refuse("nothing must follow the closing parenthesis", rest());
    return signature;
  }

 private:
  void skip_space() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  }
  [[nodiscard]] std::string rest() const { return std::string(text_.substr(at_, 32)); }

  bool accept(char wanted) {
    skip_space();
    if (at_ >= text_.size() || text_[at_] != wanted) return false;
    ++at_;
    return true;
  }
  void expect(char wanted) {
    if (!accept(wanted)) refuse(std::string("a `") + wanted + "` must stand here", rest());
  }

  std::string_view read_word(const char* what) {
    skip_space();
    const size_t start = at_;
    if (at_ < text_.size() && is_name_start(text_[at_]))
      while (at_ < text_.size() && is_name_part(text_[at_])) ++at_;
    if (at_ == start) refuse(std::string(what) + " must stand here", rest());
    return text_.substr(start, at_ - start);
  }

  ParameterKind read_kind() {
    skip_space();
    const size_t start = at_;
    const std::string_view word = read_word("a parameter type");
    std::vector<std::string> names;
    for (int i = 0; i < kKindCount; ++i) {
      const auto kind = static_cast<ParameterKind>(i);
      if (name(kind) == word) return kind;
      names.emplace_back(name(kind));
    }
    at_ = start;
    refuse("a parameter type must be one of " + joined(names), std::string(word),
           nearest_name(word, names));
  }

  // `[24:8]`: bytes and alignment.
  void read_extent(Parameter& parameter) {
    expect('[');
    parameter.bytes = read_number(0, ArgumentBlock::kCapacityBytes);
    if (accept(':')) parameter.alignment = read_number(2, kMostAlignment);
    if ((parameter.alignment & (parameter.alignment - 1)) != 0)
      refuse("an alignment must be a power of two", std::to_string(parameter.alignment));
    expect(']');
  }
  int read_number(int least, int most) {
    skip_space();
    int value = 0;
    const size_t start = at_;
    while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9' && value <= most)
      value = value * 10 + (text_[at_++] - '0');
    const bool is_plain = at_ == start + 1 || (at_ > start && text_[start] != '0');
    if (!is_plain || value < least || value > most) {
      at_ = start;
      refuse("a number from " + std::to_string(least) + " to " + std::to_string(most) +
                 " must stand here",
             rest());
    }
    return value;
  }

  [[noreturn]] void refuse(const std::string& rule, const std::string& value,
                           std::optional<std::string> nearest = {}) const {
    SourcePosition position;
    for (const char c : text_.substr(0, at_)) {
      ++position.column;
      if (c == '\n') position = {position.line + 1, 1};
    }
    throw Exception({.code = ErrorCode::syntax,
                     .operand = "signature",
                     .value = value,
                     .violated_rules = {rule},
                     .nearest_legal = std::move(nearest),
                     .position = position});
  }

  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace

Signature parse_signature(std::string_view text) { return Reader(text).read(); }

}  // namespace jute
