#pragma once
// Flags that are words of a problem and of a plan's choices: what a line says by them is read as
// the same words of a text are.
#include <jute/plan/ask/words.hpp>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tree/command_tree.hpp"

namespace jute::command {

/// As typed, by the words' names; what was left out is empty, or what holds then.
struct SaidFlags {
  std::map<std::string_view, std::string> words{};

  [[nodiscard]] const std::string& operator[](std::string_view word) const;
  /// Of a word that is a number.
  [[nodiscard]] std::optional<Index> number(std::string_view word) const;
  /// Is anything said?
  [[nodiscard]] bool any() const;
};

/// Adds the flags of a group.
void add_word_flags(Command& command, SaidFlags& said, WordGroup group);
/// Every word of every table, with what help tells its group under.
struct ToldWord {
  const Keyword* word;
  std::string_view heading;
};
[[nodiscard]] std::vector<ToldWord> told_words();
/// The flags of groups.
[[nodiscard]] Words flags_of(const std::vector<WordGroup>& groups);
/// A word's flag.   needs  one that has a flag
[[nodiscard]] std::string flag_of(std::string_view word);

/// The problem that words say.
///   throws  what problem_of_words throws, with the word's flag as operand
[[nodiscard]] Problem problem_of_flags(const std::vector<SaidWord>& words);
/// What is said by words of groups, behind what `facts` say in their place.
[[nodiscard]] std::vector<SaidWord> words_of(const SaidFlags& said,
                                             const std::vector<WordGroup>& groups,
                                             std::vector<SaidWord> facts = {});

}  // namespace jute::command
