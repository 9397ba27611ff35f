// A problem's line without the words and pieces that are as usual.
#include <jute/plan/ask/problem.hpp>

#include "base/format.hpp"
#include "plan/ask/text/problem_words.hpp"

namespace jute {
namespace plan {
namespace {

/// A word as it is printed, `NAME=` and what stands between its colons.
struct ShortWord {
  std::string name;
  std::vector<std::string> pieces{};
};

std::string joined_words(const std::vector<ShortWord>& words) {
  std::string text;
  for (const ShortWord& word : words)
    for (std::size_t i = 0; i < word.pieces.size(); ++i)
      text += (i > 0 ? ":" : text.empty() ? word.name : " " + word.name) + word.pieces[i];
  return text;
}

/// Does a text say the problem whose canonical line this is? Without a word that others need it is
/// none, or breaks a rule.
bool says(const std::string& text, const std::string& line) {
  try {
    return to_string(completed(parse_problem(text))) == line;
  } catch (const Exception&) {
    return false;
  }
}

}  // namespace
}  // namespace plan

std::string short_text(const Problem& problem) {
  const std::string line = to_string(completed(problem));
  std::vector<plan::ShortWord> words;
  for (const plan::ProblemWord& word : plan::problem_words(line)) {
    words.push_back({std::string(word.name) + "="});
    const bool is_matrix = find_dtype(word.value.substr(0, word.value.find(':'))).has_value();
    for (std::size_t at = 0; at <= word.value.size();) {
      const std::size_t end = is_matrix ? plan::end_of_piece(word.value, at) : word.value.size();
      const std::string_view piece = word.value.substr(at, end - at);
      words.back().pieces.push_back(word.is_quoted ? base::format("\"{}\"", piece)
                                                   : std::string(piece));
      at = end + 1;
    }
  }
  // From behind: B's type follows from A's, and what D is from both.
  for (std::size_t word = words.size(); word-- > 0;)
    for (std::size_t i = words[word].pieces.size(); i-- > 0;) {
      std::vector<plan::ShortWord> fewer = words;
      fewer[word].pieces.erase(fewer[word].pieces.begin() + static_cast<std::ptrdiff_t>(i));
      if (plan::says(plan::joined_words(fewer), line)) words = std::move(fewer);
    }
  return plan::joined_words(words);
}

}  // namespace jute
