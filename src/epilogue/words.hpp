#pragma once
// How the parts of an expression are spelled, and which words are taken.
#include <jute/epilogue/expression.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace jute::epilogue {

/// The shortest text that reads back as the number; `inf`, `nan`.
[[nodiscard]] std::string number_text(double number);
/// `bias[n]`
[[nodiscard]] std::string input_text(const EpilogueInput& input);
/// `amax`, `row_sum[m]`; empty for elements.
[[nodiscard]] std::string_view gather_text(EpilogueGather gather);

[[nodiscard]] inline bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
[[nodiscard]] inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
[[nodiscard]] inline bool is_word_char(char c) { return is_letter(c) || is_digit(c) || c == '_'; }

/// Names of functions, casts included.
[[nodiscard]] const std::vector<std::string>& function_names();
/// Words that name no input, local or output.
[[nodiscard]] bool is_reserved(std::string_view word);
/// The fault of a name of one's own; empty: none.
[[nodiscard]] std::string name_fault(std::string_view name);
/// The fault of an expression that takes nothing of A·B; empty: it does.
[[nodiscard]] std::string sum_fault(const EpilogueExpression& expression);

}  // namespace jute::epilogue
