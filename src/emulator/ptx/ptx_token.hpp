#pragma once
// Tokens of a PTX text.
#include <jute/base/error.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace jute::emulator {

enum class TokenKind : std::uint8_t {
  end,
  word,    ///< `add`, `%r1`, `$L__BB0_2`, `_`
  dotted,  ///< `.s32`, `.shared::cta`, with its dot
  number,  ///< `12`, `0x1F`, `0f3F800000`, `1.5`
  text,    ///< a quoted string, without its quotes
  mark,    ///< one character of punctuation
};

[[nodiscard]] constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

struct Token {
  TokenKind kind = TokenKind::end;
  std::string_view text;
  SourcePosition position;

  [[nodiscard]] bool is(char mark) const {
    return kind == TokenKind::mark && text.size() == 1 && text[0] == mark;
  }
  [[nodiscard]] bool is_dotted(std::string_view name) const {
    return kind == TokenKind::dotted && text == name;
  }
};

/// Every token of `ptx`, which must outlive them; the last one has kind end.
///   throws  bad_file: a character outside the language, an open comment or string
[[nodiscard]] std::vector<Token> tokenize(std::string_view ptx);

/// The refusal of a PTX text at one place: `value` is what stood there.
[[noreturn]] void refuse_ptx(SourcePosition position, std::string value, std::string rule);

}  // namespace jute::emulator
