// A command line held against the tree of commands.
#include "tree/parser.hpp"

#include <jute/base/nearest_name.hpp>

#include <algorithm>
#include <optional>

#include "tree/foreign_words.hpp"
#include "tree/help.hpp"
#include "tree/option_value.hpp"

namespace jute::command {
namespace {

Error told(std::string operand, std::string rule) {
  return {.code = ErrorCode::syntax,
          .operand = std::move(operand),
          .violated_rules = {std::move(rule)}};
}

/// As mistakes of a line call it: by its first long name.
const std::string& told_name(const Option& option) {
  const auto found = std::ranges::find_if(
      option.names, [](const std::string& name) { return name.starts_with("--"); });
  return found == option.names.end() ? option.names.front() : *found;
}

std::vector<std::string> names_below(const Command& command) {
  std::vector<std::string> names;
  for (const Command& below : command.commands) names.push_back(below.name);
  return names;
}

/// A rule that a line breaks.
struct Broken {
  Error error;
  bool is_about_words = false;  ///< one is missing, or one too many
};

/// Puts what a line says into the options' targets, in the tree's order.
///   throws  UsageError: an option lacks its value, has one too many; what assign throws
void assign_all(const Reading& line) {
  for (std::size_t level = 0; level < line.chain.size(); ++level)
    for (std::size_t above = 0; above <= level; ++above)
      for (const Option& option : line.chain[above]->options) {
        Words values;
        bool is_given = false;
        for (const Said& said : line.said) {
          if (said.option != &option || said.level != level) continue;
          is_given = true;
          if (said.value) values.push_back(*said.value);
          if (option.is_flag() && said.value && *said.value != "true")
            throw UsageError(told_name(option), "it must stand without a value");
          if (!option.is_flag() && !said.value)
            throw UsageError(told_name(option), "it needs a value, " + option.type_name);
        }
        if (!option.is_flag() && !option.takes_many() && values.size() > 1)
          throw UsageError(told_name(option), "it must be given once");
        if (is_given) assign(option, values);
      }
}

/// What is missing, or must not stand beside another, of an option of a line.
std::optional<Broken> broken_of(const Option& option, const Reading& line) {
  const bool is_given = line.gives(option);
  if (option.is_required && !is_given)
    return Broken{told(told_name(option), "it must be given"), true};
  if (!is_given) return std::nullopt;
  // What the command would refuse is left to it, so that the refusal says why.
  for (const Command* command : line.chain)
    for (const Option& other : command->options)
      if (line.gives(other) && is_read(other, *line.chain.back()) &&
          (other.has_name_of(option.excludes) || option.has_name_of(other.excludes)))
        return Broken{told(told_name(option), "it must not stand beside " + told_name(other))};
  return std::nullopt;
}

std::optional<Broken> broken(const Reading& line) {
  for (const Command* command : line.chain) {
    for (const Option& option : command->options)
      if (auto rule = broken_of(option, line)) return rule;
    if (!command->run && command == line.chain.back())
      return Broken{told("command", "one must follow " + line.command.line + ": " +
                                        joined(names_below(*command))),
                    true};
  }
  return line.left_over().empty() ? std::nullopt : std::optional(Broken{{}, true});
}

Error unknown_option(const Said& said, const Reading& line) {
  Error error{
      .code = ErrorCode::unknown_name,
      .operand = "option",
      .value = said.typed,
      .violated_rules = {"it must be an option of " + line.command.line + ", which --help lists"}};
  if (const auto meant = meanings(said, line); !meant.empty() && !meant.front().nearest.empty())
    error.nearest_legal = meant.front().nearest;
  if (const auto elsewhere = line.elsewhere(said.typed); !elsewhere.empty() && !error.nearest_legal)
    error.violated_rules.front() +=
        "; " + joined(elsewhere) + (elsewhere.size() == 1 ? " has it" : " have it");
  return error;
}

Error unknown_command(const std::string& word, const PlacedCommand& above) {
  Error error{.code = ErrorCode::unknown_name,
              .operand = "command",
              .value = word,
              .violated_rules = {"it must be one of " + joined(names_below(above.command))}};
  if (const auto meant = command_meanings(word, above); !meant.empty())
    error.nearest_legal = meant.front().nearest;
  return error;
}

/// An option that would do nothing beside the others.
std::optional<Error> idle_option(const Reading& line) {
  std::vector<const Option*> given;
  for (const Option* option : line.command.options)
    if (option->is_named() && line.gives(*option)) given.push_back(option);
  for (const Option* option : given) {
    for (const Option* other : given)
      if (option != other && !option->company.empty() && !other->has_name_of(option->company))
        return told(spoken_name(*other), "it must not stand beside " + spoken_name(*option));
    const bool needs_more =
        !option->needs.empty() && std::ranges::none_of(given, [&](const Option* other) {
          return other->has_name_of(option->needs);
        });
    if (needs_more)
      return told(
          spoken_name(*option),
          "it must be left out without " + joined(option->needs, " or ") + ": it would do nothing");
  }
  return std::nullopt;
}

/// What went wrong. A word that fits nowhere is told before what is missing, which it may have been
/// meant to be.
Error mistake(const Reading& line, const Broken& broken) {
  const Words words = line.left_over();
  if (words.empty() || !broken.is_about_words) return broken.error;
  if (!line.command.command.commands.empty() && !words.front().starts_with('-'))
    return unknown_command(words.front(), line.command);
  const auto said = std::ranges::find_if(line.said, &Said::is_unknown);
  if (said != line.said.end()) return unknown_option(*said, line);
  Error error = told("arguments", line.command.line +
                                      " must be given no more of them; --help lists what it takes");
  error.value = joined(words, " ");
  return error;
}

/// The group that help was asked about: the word behind --help; empty where there is none.
std::string group_asked(const Words& words, const Command& command) {
  const auto help = std::ranges::find_if(
      words, [](const std::string& word) { return word == "--help" || word == "-h"; });
  const bool has_word = help != words.end() && help + 1 != words.end();
  if (!has_word || help[1].starts_with('-') || help[1] == command.name) return {};
  return help[1];
}

std::string help_asked(const PlacedCommand& command, const Words& words) {
  const std::string group = group_asked(words, command.command);
  return group.empty() ? help_text(command, HelpExtent::usual) : help_on(command, group);
}

}  // namespace

Request parse(const Command& root, const std::string& version, Words words) {
  // `help`, `help plan`: what --help and plan --help say.
  if (!words.empty() && words.front() == "help") {
    words.erase(words.begin());
    words.emplace_back("--help");
  }
  const Reading line = read_line(root, words);
  Request request;
  request.command = line.chain.back();
  const auto refuse_with = [&](Error error) {
    request.kind = Request::Kind::mistake;
    request.mistake = std::move(error);
  };
  const auto print = [&](std::string text) {
    request.kind = Request::Kind::print;
    request.text = std::move(text);
  };
  try {
    if (line.asks("--version")) {
      print(version + "\n");
      return request;
    }
    assign_all(line);
    if (line.asks("--help-all"))
      print(help_text(line.command, HelpExtent::all));
    else if (line.asks("--help") || line.asks("-h"))
      print(help_asked(line.command, words));
    else if (const auto rule = broken(line))
      refuse_with(mistake(line, *rule));
    else if (auto idle = idle_option(line))
      refuse_with(*std::move(idle));
  } catch (const UsageError& error) {
    refuse_with(error.error());
  }
  return request;
}

}  // namespace jute::command
