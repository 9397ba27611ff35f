#pragma once
// A command line as values, whether or not it would be taken: what it says, option by option.
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tree/command_tree.hpp"

namespace jute::command {

/// One thing that a line says: an option with its value, or a word without a name.
struct Said {
  std::string name;   ///< "--output" for -o; as typed where the command has none such; of a word
                      ///< without a name that of the positional which takes it, or nothing
  std::string typed;  ///< the name as it stands in the line: "-o"
  std::optional<std::string> value;  ///< what stands behind it; of an unknown option what may
  std::size_t at = 0, words = 1;     ///< where it stands in the line
  const Option* option = nullptr;    ///< null: unknown

  /// An option that nobody has.
  [[nodiscard]] bool is_unknown() const { return option == nullptr && !name.empty(); }
};

/// A line as it is read: the command that it names and all else that it says, in the line's order.
struct Reading {
  const Command& root;
  PlacedCommand command;
  std::vector<Said> said;

  /// The commands that have an option of that name.
  [[nodiscard]] std::vector<std::string> elsewhere(const std::string& option) const;
};

/// Reads a line as its command would. A word `name=value` is an option without its dashes where the
/// command takes no words.
[[nodiscard]] Reading read_line(const Command& root, const Words& line);

/// A line's words with some of them, or none, replaced by others.
struct Edit {
  std::size_t at = 0, words = 0;
  Words with;
};
[[nodiscard]] Words edited(Words line, const Edit& edit);

/// Does `after`, which is `before` but for the edit, say everything else that `before` says?
[[nodiscard]] bool keeps_the_rest(const Reading& before, const Reading& after, const Edit& edit);

}  // namespace jute::command
