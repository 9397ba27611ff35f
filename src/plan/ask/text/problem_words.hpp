#pragma once
// Parts of a problem's text: words `name=value`, whose values of matrices are pieces between
// colons.
#include <jute/plan/ask/problem.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jute::plan {

/// `name=value`, and where both begin in the text; around the value there may be quotes.
struct ProblemWord {
  std::string_view name, value;
  std::size_t at = 0, value_at = 0;
  bool is_quoted = false;
};

/// All of a line, in order.
///   throws  syntax: a word has no `=`, a quote is not closed
[[nodiscard]] std::vector<ProblemWord> problem_words(std::string_view line);

/// Where a piece of a matrix's value ends that begins at `at`: at a colon outside of brackets.
[[nodiscard]] std::size_t end_of_piece(std::string_view text, std::size_t at);

/// A whole number. One that 64 bits do not hold is the greatest or least: the problem's rules then
/// say what is wrong with it.
[[nodiscard]] std::optional<Index> whole_number(std::string_view text);

/// A line of a file as the problems that it says: one, or one for each choice of a list `N=64,128`
/// or of numbers `K=64:256:64`, from the first to the last by steps; the last word's choices go by
/// fastest. Words stand where they stood.
///   throws  syntax: a list of no numbers, steps that do not lead to the last, more than
///           kMostListed problems
[[nodiscard]] std::vector<std::string> listed_lines(std::string_view line);
inline constexpr std::size_t kMostListed = 4096;

/// The text of a matrix, `bf16:row:ld64:batch4096:align16`; the rest is as usual.
struct MatrixText {
  std::optional<DType> type;
  std::optional<Order> order;
  std::optional<Index> ld, batch_stride, alignment;
  bool broadcast = false, by_value = false;
  std::optional<View> view;
  std::optional<ValueBlock> block;
  std::optional<RowTable> rows;
  bool is_for_numbers = false;  ///< the order counts for scales and zero points, too
};
///   throws  unknown_name, syntax: a piece is none, or was said before
[[nodiscard]] MatrixText read_matrix(const ProblemWord& word);
/// Reads a word that is one piece of a matrix, but for what stands ahead of its value and behind.
///   throws  unknown_name, syntax: it is none, or was said before
void read_piece_of(MatrixText& matrix, const ProblemWord& word, std::string_view ahead,
                   std::string_view behind);
/// Lays over a matrix what the text says of it.
void put(Matrix& matrix, const MatrixText& text);

/// Refuses a piece of a problem's text that begins at `at`.
[[noreturn]] void refuse_text(ErrorCode code, std::string operand, std::string_view value,
                              std::size_t at, std::string rule,
                              std::optional<std::string> nearest = std::nullopt);

}  // namespace jute::plan
