#pragma once
// What a shell offers behind TAB: scripts ask the command, which knows its own tree.
#include <string>

#include "tree/command_tree.hpp"

namespace jute::command {

/// What may stand in the place of a line's last word, one a line, with a word on it behind a tab:
/// options where it begins with a dash, else values, commands and arguments. Of files and folders,
/// which shells know better, `:files` or `:folders`.
[[nodiscard]] std::string offers_for(const Command& root, const std::string& line);

/// The script that a shell, `bash`, `zsh` or `fish`, sources or finds in the folder of its
/// completions.
[[nodiscard]] std::string completion_script(const std::string& shell);

}  // namespace jute::command
