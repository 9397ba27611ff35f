// Reads the indices of an input.
#include <jute/base/nearest_name.hpp>
#include <jute/base/split_at.hpp>

#include <algorithm>

#include "base/format.hpp"
#include "epilogue/parser.hpp"
#include "epilogue/words.hpp"

namespace jute::epilogue {
namespace {

/// An index that is none, as others call rows and columns.
std::string_view meant_index(std::string_view word, bool has_n) {
  for (const std::string_view index : {"m", "n", "batch"})
    if (word == index) return index;
  for (const std::string_view row : {"M", "row", "rows", "i"})
    if (word == row) return "m";
  for (const std::string_view column : {"N", "col", "column", "cols", "j"})
    if (word == column) return "n";
  for (const std::string_view batch : {"b", "l", "L", "B", "batches"})
    if (word == batch) return "batch";
  // A vector mostly has an element for each column.
  return has_n ? "m" : "n";
}

void set_index(EpilogueInput& input, const std::vector<std::string>& words) {
  const auto has = [&](std::string_view index) {
    return std::ranges::find(words, index) != words.end();
  };
  input.batched = has("batch");
  input.extent = has("m") && has("n") ? EpilogueExtent::elements
                 : has("m")           ? EpilogueExtent::rows
                 : has("n")           ? EpilogueExtent::columns
                                      : EpilogueExtent::scalar;
}

/// The input that its indices mean; what means nothing new is left out.
std::string meant_input(const std::string& name, std::string_view indices) {
  std::vector<std::string> words;
  for (std::string_view word : split_at(',', indices)) {
    word.remove_prefix(std::min(word.find_first_not_of(' '), word.size()));
    word = word.substr(0, word.find_last_not_of(' ') + 1);
    const bool has_n = std::ranges::find(words, "n") != words.end();
    if (!word.empty() || words.empty()) words.emplace_back(meant_index(word, has_n));
  }
  EpilogueInput input{.name = name};
  set_index(input, words);
  return input_text(input);
}

}  // namespace

void Parser::refuse_index(const std::string& name, std::size_t column,
                          std::size_t index_column) const {
  Fault fault{ErrorCode::unknown_name,
              "an index must be m, n or batch: v[m], v[n], x[m,n], s[batch], v[batch,n]"};
  constexpr std::size_t kLongest = 64;
  const std::size_t first = text_.find('[', column) + 1;
  const std::size_t close = text_.find(']', first);
  const std::string_view indices = text_.substr(first, std::min(close - first, kLongest + 1));
  const auto is_of_list = [](char c) { return is_word_char(c) || c == ',' || c == ' '; };
  if (indices.size() <= kLongest && std::ranges::all_of(indices, is_of_list)) {
    fault.value = text_.substr(column, first + indices.size() + 1 - column);
    fault.nearest = meant_input(name, indices);
  }
  refuse(index_column, std::move(fault));
}

void Parser::read_index(EpilogueInput& input, std::size_t column) {
  const std::size_t open = at_++;
  std::vector<std::string> words;
  do {
    skip_spaces();
    const std::size_t start = at_;
    const std::string index(word());
    if (index != "m" && index != "n" && index != "batch") refuse_index(input.name, column, start);
    words.push_back(index);
  } while (take(',') && words.size() < 4);
  if (!take(']')) refuse(at_, base::format("']' must follow an index, but {}", next_text()));
  set_index(input, words);
  const std::string legal = input_text(input);
  if (legal != input.name + "[" + joined(words, ",") + "]")
    refuse(open, {ErrorCode::syntax, "indices must stand once each, in the order batch, m, n",
                  legal, std::string(text_.substr(column, at_ - column))});
}

}  // namespace jute::epilogue
