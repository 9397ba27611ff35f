// The tree of commands as CLI11 knows it. No other file includes CLI11: it takes seconds to
// compile.
#include "tree/parser.hpp"

#include <jute/base/nearest_name.hpp>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <optional>

#include "tree/foreign_words.hpp"
#include "tree/help.hpp"
#include "tree/option_value.hpp"

namespace jute::command {
namespace {

using Options = std::vector<const Option*>;

CLI::Option& added(const Option& option, CLI::App& app) {
  const std::string names = joined(option.names, ",");
  const bool many = option.takes_many();
  const auto read = [&option](const CLI::results_t& words) {
    assign(option, words);
    return true;
  };
  if (option.is_flag())
    return *app.add_flag_function(
        names, [&option](std::int64_t) { assign(option, {}); }, option.description);
  CLI::Option& made = *app.add_option(names, read, option.description);
  if (many) made.expected(CLI::detail::expected_max_vector_size);
  // A list behind a name takes one word each time it is named, so that others may follow.
  if (many && option.is_named()) made.allow_extra_args(false);
  made.type_name(option.type_name);
  return made;
}

CLI::Option* add(const Option& option, CLI::App& app) {
  CLI::Option& made = added(option, app);
  made.required(option.is_required);
  return &made;
}

/// Excludes by names. CLI11's own search for a name ends the program where memory runs out.
void exclude(const Options& options, const std::vector<CLI::Option*>& made) {
  for (size_t i = 0; i < options.size(); ++i)
    for (const std::string& other : options[i]->excludes)
      for (size_t j = 0; j < options.size(); ++j)
        if (options[j]->has_name(other)) made[i]->excludes(made[j]);
}

/// Options that the command would refuse are still parsed, so that the refusal says why.
void free_unread(const Command& command, const Options& options,
                 const std::vector<CLI::Option*>& made) {
  for (size_t i = 0; i < options.size(); ++i)
    if (!is_read(*options[i], command))
      for (CLI::Option* other : made) other->remove_excludes(made[i]);
}

/// `options` are those of the commands above. Of the commands below only those that `words` name
/// are told to CLI11 with their options: it holds each new name against all before it, which would
/// be half of the time of a short command.
void add(const Command& command, Options options, const Words& words, CLI::App& app) {
  for (const Option& option : command.options) options.push_back(&option);
  std::vector<CLI::Option*> made;
  for (const Option* option : options) made.push_back(add(*option, app));
  exclude(options, made);
  free_unread(command, options, made);
  if (!command.run) app.require_subcommand(1);
  for (const Command& below : command.commands) {
    CLI::App& made_below = *app.add_subcommand(below.name, below.description);
    if (std::ranges::find(words, below.name) != words.end()) add(below, options, words, made_below);
  }
}

/// The deepest command that the words named before they went wrong, and what CLI11 made of it.
struct Named {
  const Command& command;
  const CLI::App& app;
  std::string line;  ///< "jute atom list"
};

Named named(const Command& command, const CLI::App& app, std::string line) {
  const auto chosen = app.get_subcommands();
  if (chosen.empty()) return {command, app, std::move(line)};
  const CLI::App& next = *chosen.back();
  return named(*std::ranges::find(command.commands, next.get_name(), &Command::name), next,
               line + " " + next.get_name());
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

std::vector<std::string> names_below(const Command& command) {
  std::vector<std::string> names;
  for (const Command& below : command.commands) names.push_back(below.name);
  return names;
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

/// The option of that name, if there is one. CLI11's own look-up is noexcept and yet allocates: it
/// would end the process where memory runs out.
const CLI::Option* option_named(const CLI::App& app, const std::string& name) {
  const std::vector<const CLI::Option*> options = app.get_options();
  const auto found = std::ranges::find_if(
      options, [&](const CLI::Option* option) { return option->check_name(name); });
  return found == options.end() ? nullptr : *found;
}

/// Was an option that takes one value given twice, to whichever command? Those of `jute` itself may
/// stand before any.
bool is_repeated(const CLI::App& app, const std::string& name) {
  const CLI::Option* option = option_named(app, name);
  if (option != nullptr && option->get_expected_max() == 1 && option->count() > 1) return true;
  return std::ranges::any_of(app.get_subcommands({}),
                             [&](const CLI::App* below) { return is_repeated(*below, name); });
}

Error told(std::string operand, std::string rule) {
  return {.code = ErrorCode::syntax,
          .operand = std::move(operand),
          .violated_rules = {std::move(rule)}};
}

/// CLI11's complaint about an option, told by the option that it names first.
Error broken_rule(const CLI::App& root, const Named& at, const CLI::ParseError& error) {
  const std::string text = error.what();
  const std::string name = text.substr(0, text.find_first_of(": "));
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) {
    if (!at.command.run)
      return told("command", "one must follow " + at.line + ": " + joined(names_below(at.command)));
    return told(name, "it must be given");
  }
  if (dynamic_cast<const CLI::ExcludesError*>(&error) != nullptr)
    return told(name, "it must not stand beside " + text.substr(text.rfind(' ') + 1));
  if (is_repeated(root, name)) return told(name, "it must be given once");
  if (const CLI::Option* option = option_named(at.app, name)) {
    if (option->get_expected_max() == 0) return told(name, "it must stand without a value");
    return told(name, "it needs a value, " + option->get_type_name());
  }
  return told("", text);
}

/// To the command, or to one above it.
bool is_given(const Option& option, const CLI::App* app) {
  std::string name = option.names.front();
  for (; app != nullptr; app = app->get_parent()) {
    const CLI::Option* made = option_named(*app, name);
    if (made != nullptr && made->count() > 0) return true;
  }
  return false;
}

/// The other options that an option's value stands for.
Words said_by(const Option& option) {
  return option.says ? option.says(*std::get<std::string*>(option.target)) : Words();
}

bool meet(const Words& some, const Words& others) {
  return std::ranges::find_first_of(some, others) != some.end();
}

/// An option that would do nothing beside the others, or that one of them says too.
std::optional<Error> idle_option(const PlacedCommand& at, const CLI::App& app) {
  std::vector<const Option*> given;
  for (const Option* option : at.options)
    if (option->is_named() && is_given(*option, &app)) given.push_back(option);
  for (const Option* option : given) {
    const Words said = said_by(*option);
    for (const Option* other : given) {
      if (option != other && !option->company.empty() && !other->has_name_of(option->company))
        return told(spoken_name(*other), "it must not stand beside " + spoken_name(*option));
      if (other->has_name_of(said) || meet(other->excludes, said))
        return told(spoken_name(*other), "it must be left out: " + spoken_name(*option) + " says " +
                                             (other->has_name_of(said) ? "it" : said.front()));
    }
    const bool needs_more =
        !option->needs.empty() && std::ranges::none_of(given, [&](const Option* other) {
          return other->has_name_of(option->needs) || meet(said_by(*other), option->needs);
        });
    if (needs_more)
      return told(
          spoken_name(*option),
          "it must be left out without " + joined(option->needs, " or ") + ": it would do nothing");
  }
  return std::nullopt;
}

/// The mistake. A word that fits nowhere is told before what is missing, which it may have been
/// meant to be.
Error mistake(const CLI::App& root, const Command& jute, const Reading& line, const Named& at,
              const CLI::ParseError& error) {
  const std::vector<std::string> words = root.remaining(true);
  const bool is_about_words = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr ||
                              dynamic_cast<const CLI::RequiredError*>(&error) != nullptr;
  if (words.empty() || !is_about_words) return broken_rule(root, at, error);
  if (!at.command.commands.empty() && !words.front().starts_with('-'))
    return unknown_command(words.front(), placed_in(jute, at.command));
  if (const auto said = std::ranges::find_if(line.said, &Said::is_unknown); said != line.said.end())
    return unknown_option(*said, line);
  return {
      .code = ErrorCode::syntax,
      .operand = "arguments",
      .value = joined(words, " "),
      .violated_rules = {at.line + " must be given no more of them; --help lists what it takes"}};
}

/// A letter with a value that it does not take is the name of none: -np is no -n with p.
Error unless_unknown(const UsageError& refused, const Reading& line) {
  const auto said = std::ranges::find_if(line.said, [&](const Said& one) {
    return one.is_unknown() && one.typed.size() > 2 && one.typed[0] == '-' && one.typed[1] != '-' &&
           one.typed.substr(2) == refused.error().value;
  });
  return said == line.said.end() ? refused.error() : unknown_option(*said, line);
}

/// The group that help was asked about: the word behind --help; empty where there is none.
std::string group_asked(const Words& words, const Command& command) {
  const auto help = std::ranges::find_if(
      words, [](const std::string& word) { return word == "--help" || word == "-h"; });
  const bool has_word = help != words.end() && help + 1 != words.end();
  if (!has_word || help[1].starts_with('-') || help[1] == command.name) return {};
  return help[1];
}

void tell_help(Request& request, const PlacedCommand& command, const Words& words) {
  const std::string group = group_asked(words, command.command);
  try {
    request.text = group.empty() ? help_text(command, HelpExtent::usual) : help_on(command, group);
    request.kind = Request::Kind::print;
  } catch (const UsageError& error) {
    request.kind = Request::Kind::mistake;
    request.mistake = error.error();
  }
}

}  // namespace

Request parse(const Command& root, const std::string& version, std::vector<std::string> words) {
  // `help`, `help plan`: what --help and plan --help say.
  if (!words.empty() && words.front() == "help") {
    words.erase(words.begin());
    words.emplace_back("--help");
  }
  CLI::App app(root.description, root.name);
  app.set_version_flag("--version", version);
  app.set_help_all_flag("--help-all");
  add(root, {}, words, app);
  Request request;
  try {
    app.parse(std::vector(words.rbegin(), words.rend()));  // CLI11 takes them last first
    const Named at = named(root, app, root.name);
    if (auto idle = idle_option(placed_in(root, at.command), at.app))
      throw UsageError(*std::move(idle));
  } catch (const CLI::CallForHelp&) {
    tell_help(request, placed_in(root, named(root, app, root.name).command), words);
  } catch (const CLI::CallForAllHelp&) {
    request.kind = Request::Kind::print;
    request.text = help_text(placed_in(root, named(root, app, root.name).command), HelpExtent::all);
  } catch (const CLI::Success&) {
    request.kind = Request::Kind::print;
    request.text = version + "\n";
  } catch (const CLI::ParseError& error) {
    request.kind = Request::Kind::mistake;
    request.mistake =
        mistake(app, root, read_line(root, words), named(root, app, root.name), error);
  } catch (const UsageError& error) {
    request.kind = Request::Kind::mistake;
    request.mistake = unless_unknown(error, read_line(root, words));
  }
  request.command = &named(root, app, root.name).command;
  return request;
}

}  // namespace jute::command
