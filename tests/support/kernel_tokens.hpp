#pragma once
// A kernel's text as tokens, for what reads it as its compiler does.
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace jute::test {

struct KernelToken {
  enum class Kind : unsigned char { name, number, text, sign };
  Kind kind = Kind::sign;
  std::string text;
  int line = 0;
};

/// Without comments and without lines of the preprocessor.
[[nodiscard]] std::vector<KernelToken> kernel_tokens(const std::string& text);

/// A place among tokens.
struct KernelCursor {
  const std::vector<KernelToken>& tokens;
  std::size_t at = 0;

  [[nodiscard]] std::string_view text(std::size_t ahead = 0) const;
  [[nodiscard]] bool is(std::string_view sign, std::size_t ahead = 0) const;
  [[nodiscard]] bool is_name(std::size_t ahead = 0) const;
  [[nodiscard]] bool is_at_end() const { return at >= tokens.size(); }
  [[nodiscard]] int line() const;
  /// What stands from there up to here, for what is said.
  [[nodiscard]] std::string told(std::size_t from) const;

  /// Goes on where the token is this one.
  bool take(std::string_view sign);
  /// To the first of them outside of brackets.
  void skip_to(std::string_view sign);
  /// Behind the bracket that this one opens, of `<` too.
  void skip_group();
  void skip_template();
};

}  // namespace jute::test
