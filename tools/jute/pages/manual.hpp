#pragma once
// Pages written from the tree of commands: for man, and for docs/reference.
#include <string>
#include <utility>
#include <vector>

#include "tree/command_tree.hpp"

namespace jute::command {

/// A file's name and its text.
using NamedText = std::pair<std::string, std::string>;

/// `jute.1`, `jute-atom-list.1`, …: one for each command.
[[nodiscard]] std::vector<NamedText> man_pages(const Command& root, const std::string& version);

/// docs/reference/commands.md: every command with its options.
[[nodiscard]] std::string commands_page(const Command& root);
/// docs/reference/words.md: what problems, choices and ranks are said with.
[[nodiscard]] std::string words_page();
/// docs/problem-text.md with the table of a text's words.   throws  bad_file: there is no place
[[nodiscard]] std::string with_words(std::string page);
/// The schema of `jute plan --json` with the problem's matrices in it.
[[nodiscard]] std::string plan_schema(std::string text);
/// docs/reference/environment.md: variables and exit statuses.
[[nodiscard]] std::string environment_page();

/// "-o, --output FILE"
[[nodiscard]] std::string heading_of(const Option& option);
/// The rest that an option takes beyond its description: words, range, default, exclusions.
[[nodiscard]] std::string limits_of(const Option& option);
/// The options under their headings, in the order in which these first appear; "" first.
[[nodiscard]] std::vector<std::pair<std::string, std::vector<const Option*>>> grouped(
    const std::vector<const Option*>& options);
/// "jute atom show [OPTION]... [names]..."
[[nodiscard]] std::string synopsis_of(const PlacedCommand& at);

}  // namespace jute::command
