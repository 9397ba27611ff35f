// Options by their headings, as the tree has them.
#include "tree/help.hpp"

#include <jute/base/nearest_name.hpp>

#include <algorithm>

#include "tree/option_value.hpp"
#include "tree/words.hpp"

namespace jute::command {
namespace {

constexpr std::size_t kHelpWidth = 28;

/// Two columns; a name that is too long has a line of its own.
std::string help_line(const std::string& name, const std::string& about) {
  std::string text = "  " + name;
  text += text.size() < kHelpWidth ? std::string(kHelpWidth - text.size(), ' ')
                                   : "\n" + std::string(kHelpWidth, ' ');
  return text + about + "\n";
}

std::string help_line(const Option& option) {
  const bool many = option.takes_many();
  std::string name = joined(option.names, ",");
  if (!option.is_flag()) name += " " + option.type_name;
  if (!option.default_text.empty()) name += "=" + option.default_text;
  return help_line(name + (many ? " ..." : ""), option.description);
}

/// The headings of a command's options, in their order.
std::vector<std::string> headings(const PlacedCommand& command) {
  std::vector<std::string> names;
  for (const Option* option : command.options)
    if (!option->group.empty() && std::ranges::find(names, option->group) == names.end())
      names.push_back(option->group);
  return names;
}

template <class Chosen>
std::string section(const PlacedCommand& command, const std::string& heading, Chosen chosen) {
  std::string text;
  for (const Option* option : command.options)
    if (chosen(*option)) text += help_line(*option);
  return text.empty() ? text : "\n" + heading + ":\n" + text;
}

std::string section_of(const PlacedCommand& command, const std::string& heading) {
  return section(command, heading, [&](const Option& option) { return option.group == heading; });
}

bool is_usual(const Option& option) { return option.group.empty() || option.is_usual; }

/// The commands below, by what they are for.
std::string commands_below(const Command& command) {
  std::vector<std::string> groups;
  for (const Command& below : command.commands)
    if (std::ranges::find(groups, below.group) == groups.end()) groups.push_back(below.group);
  std::string text;
  for (const std::string& group : groups) {
    text += "\n" + (group.empty() ? "Commands" : group) + ":\n";
    for (const Command& below : command.commands)
      if (below.group == group) text += help_line(below.name, below.description);
  }
  return text;
}

/// A line for each group that is left out: its word and its first options.
std::string other_groups(const PlacedCommand& command) {
  constexpr std::size_t kShown = 4;
  std::string text;
  for (const std::string& heading : headings(command)) {
    std::vector<std::string> names;
    for (const Option* option : command.options)
      if (option->group == heading && !option->is_usual) names.push_back(spoken_name(*option));
    if (names.size() > kShown) {
      names.resize(kShown);
      names.emplace_back("…");
    }
    const std::string word = lower_case(heading.substr(heading.rfind(' ') + 1));
    if (!names.empty()) text += help_line(word, joined(names));
  }
  if (text.empty()) return text;
  return "\nMore, by " + command.line + " --help GROUP; all of it by --help-all:\n" + text;
}

std::string usage_of(const PlacedCommand& command) {
  std::string text = "Usage: " + command.line + " [OPTIONS]";
  for (const Option& option : command.command.options)
    if (!option.is_named())
      text += option.is_required ? " " + option.names.front() : " [" + option.names.front() + "]";
  return text + (command.command.commands.empty() ? "" : " COMMAND") + "\n";
}

}  // namespace

std::string help_text(const PlacedCommand& command, HelpExtent extent) {
  std::string text = command.command.description + "\n\nExample:\n  " + command.command.example +
                     "\n\n" + usage_of(command);
  if (extent == HelpExtent::usual) {
    text += section(command, "Options", is_usual) + commands_below(command.command);
    return text + other_groups(command);
  }
  text += section(command, "Options", [](const Option& option) { return option.group.empty(); });
  for (const std::string& heading : headings(command)) text += section_of(command, heading);
  return text + commands_below(command.command);
}

std::string help_on(const PlacedCommand& command, const std::string& word) {
  std::string text;
  std::vector<std::string> known;
  for (const std::string& heading : headings(command)) {
    const std::string name = lower_case(heading);
    known.push_back(name.substr(name.rfind(' ') + 1));
    if (name.find(lower_case(word)) != std::string::npos) text += section_of(command, heading);
  }
  if (text.empty())
    refuse_usage("--help", word, "it must be one of " + joined(known), nearest_name(word, known));
  return text.substr(1);
}

}  // namespace jute::command
