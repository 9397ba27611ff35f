#pragma once
// The words of a problem and of a plan's choices: one table that texts, flags, calls and pages are
// made from.
#include <jute/base/export.hpp>
#include <jute/plan/ask/problem.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace JUTE_API jute {

/// The thing that a word is about. Words of `whole` say more than one thing of an operand, in
/// pieces.
enum class WordGroup : std::uint8_t {
  whole,
  extents,
  types,
  memory,
  scales,
  epilogue,
  groups,
  rows,
  choices,
  ranks,
};

/// The kinds of values that a word may have.
enum class WordKind : std::uint8_t {
  text,
  one_of,   ///< of the row's words
  offered,  ///< one of them, or what else its reader takes
  choice,   ///< one of them, or `auto`, which leaves it to the planner
  type,     ///< an element type, one of the row's words or any
  extent,   ///< a number of a problem's shape
  number,
  bytes,
};

/// A word, as each door has it.
struct Keyword {
  std::string_view name;  ///< in texts, where it stands as NAME=VALUE
  std::string_view flag;  ///< of the command; empty: none, nor a keyword
  WordGroup group = WordGroup::whole;
  WordKind kind = WordKind::text;
  std::string_view takes;          ///< what its value is called; empty: usual
  std::string_view about;          ///< a line
  std::string_view words = {};     ///< that it takes, between blanks
  bool is_usual = false;           ///< one that everybody uses
  std::string_view keyword = {};   ///< of Python, likewise
  std::string_view since = "0.1";  ///< the version of jute that has it
  /// The value that is meant where nobody says one; empty: what the word whose piece it is leaves
  /// out.
  std::string_view left_out = {};
};

/// All that problems are said with, in the order in which help tells them.
[[nodiscard]] std::span<const Keyword> words_of_problems();
/// Those of a plan's choices: the members of a Config, in their order.
[[nodiscard]] std::span<const Keyword> words_of_choices();
/// That word; null where there is none of the name.
[[nodiscard]] const Keyword* find_word(std::span<const Keyword> words, std::string_view name);

/// A word and its value, as a text, a flag or a call says it.
struct SaidWord {
  std::string name, value;
};
/// The problem that words say, by the readers of parse_problem, in any order: a word of the table
/// is that also where an epilogue names its input so.
///   throws  what parse_problem throws; the operand is the word's name, the position one in its
///           value
[[nodiscard]] Problem problem_of_words(std::span<const SaidWord> words);
/// The words of a problem's text.   throws  syntax
[[nodiscard]] std::vector<SaidWord> said_words(std::string_view text);

}  // namespace jute
