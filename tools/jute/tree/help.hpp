#pragma once
// What --help prints: an example, the words that everybody uses, and where the others are.
#include <string>

#include "tree/command_tree.hpp"

namespace jute::command {

/// How much of a command is told.
enum class HelpExtent : std::uint8_t { usual, all };

/// Help on a command: what it does, an example, its usual options, the other groups' names; with
/// `all` every option below its heading.
[[nodiscard]] std::string help_text(const PlacedCommand& command, HelpExtent extent);

/// The options of the groups whose headings have the word: `scales`, `ranks` for "Several ranks".
///   throws  UsageError: no group has it, with the nearest
[[nodiscard]] std::string help_on(const PlacedCommand& command, const std::string& word);

}  // namespace jute::command
