#pragma once
// A CUDA text cut into tokens, without what the preprocessor takes away for certain.
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace jute::program {

enum class CudaTokenKind : std::uint8_t { word, number, text, mark };

/// `mark` is punctuation: one character, or one of `::`, `->`, `<<<`, `<<`, `<=`, `>=`, `==`, `!=`,
/// `&&`, `||`, `++`, `--` and the compound assignments. Closing angles are always single.
struct CudaToken {
  CudaTokenKind kind = CudaTokenKind::mark;
  std::string_view text;  ///< part of the text that was cut
  std::size_t at = 0;     ///< where it begins there
  [[nodiscard]] std::size_t end() const { return at + text.size(); }
};
using CudaTokens = std::span<const CudaToken>;

/// A line of the preprocessor, with those that a backslash joins to it.
struct DirectiveLine {
  std::string_view text;  ///< from `#` to the end of the last line, that without its line feed
  std::size_t at = 0;
};

struct CutText {
  std::vector<CudaToken> tokens;
  std::vector<DirectiveLine> directives;
};

/// Any text is cut, one that is no C++ too. Left out are comments, what stands behind `#if 0`, and
/// a branch of a conditional that closes other brackets than the branch before it.
[[nodiscard]] CutText cut(std::string_view text);
/// The tokens of a piece of text without directives: a macro's body.
[[nodiscard]] std::vector<CudaToken> tokens_of(std::string_view text);

/// Is the token at `index` there and spelled so?
[[nodiscard]] bool is(CudaTokens tokens, std::size_t index, std::string_view text);
[[nodiscard]] bool is_word(CudaTokens tokens, std::size_t index);
/// Behind the bracket that closes the one at `index`; the count of tokens where none does.
[[nodiscard]] std::size_t behind_bracket(CudaTokens tokens, std::size_t index);
/// Behind the angle that closes the `<` at `index`; `index` where it opens no template arguments.
[[nodiscard]] std::size_t behind_angle(CudaTokens tokens, std::size_t index);
/// CudaTokens as one reads them: a blank only between two words.
[[nodiscard]] std::string joined_text(CudaTokens tokens);

}  // namespace jute::program
