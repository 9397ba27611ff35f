// The tree of commands as CLI11 knows it. No other file includes CLI11: it takes seconds to
// compile.
#include "parser.hpp"

#include <jute/base/nearest_name.hpp>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <optional>
#include <sstream>
#include <type_traits>

namespace jute::command {
namespace {

struct Checked {
  CLI::Option& option;

  void operator()(std::monostate) const {}
  void operator()(const Words& words) const { option.check(CLI::IsMember(words)); }
  void operator()(Range range) const { option.check(CLI::Range(range.least, range.most)); }
  void operator()(NonNegative) const { option.check(CLI::NonNegativeNumber); }
};

CLI::Option& added(const Option& option, CLI::App& app) {
  const std::string names = joined(option.names, ",");
  return *std::visit(
      [&](auto* target) {
        if constexpr (std::is_same_v<decltype(target), bool*>)
          return app.add_flag(names, *target, option.description);
        else
          return app.add_option(names, *target, option.description);
      },
      option.target);
}

void add(const Option& option, CLI::App& app) {
  CLI::Option& made = added(option, app);
  if (!option.is_flag()) made.type_name(option.type_name);
  if (!option.group.empty()) made.group(option.group);
  if (!option.default_text.empty()) made.default_str(option.default_text);
  if (option.separator) made.delimiter(*option.separator);
  std::visit(Checked{made}, option.allowed);
  made.required(option.is_required);
}

/// `options` are those of the commands above.
void add(const Command& command, std::vector<const Option*> options, CLI::App& app) {
  app.footer("Example:\n  " + command.example);
  for (const Option& option : command.options) options.push_back(&option);
  for (const Option* option : options) add(*option, app);
  for (const Option* option : options)
    for (const std::string& other : option->excludes)
      app.get_option(option->names.front())->excludes(app.get_option(other));
  if (!command.run) app.require_subcommand(1);
  for (const Command& below : command.commands)
    add(below, options, *app.add_subcommand(below.name, below.description));
}

/// The deepest command that the words named before they went wrong, and what CLI11 made of it.
struct Named {
  const Command& command;
  const CLI::App& app;
};

Named named(const Command& command, const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  if (chosen.empty()) return {command, app};
  const CLI::App& next = *chosen.back();
  return named(*std::ranges::find(command.commands, next.get_name(), &Command::name), next);
}

std::string with_nearest(const std::string& text, const std::optional<std::string>& near) {
  return near ? text + " (nearest: " + *near + ")" : text;
}

/// The same letter in the other case: every other letter would be as near.
std::optional<std::string> nearest_letter(const std::string& letter, const CLI::App& app) {
  for (const CLI::Option* option : app.get_options())
    for (const std::string& known : option->get_snames())
      if (CLI::detail::to_lower(known) == CLI::detail::to_lower(letter)) return "-" + known;
  return std::nullopt;
}

/// Compared without their dashes, which are no likeness.
std::optional<std::string> nearest_option(const std::string& name, const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    names.insert(names.end(), option->get_lnames().begin(), option->get_lnames().end());
  auto near = nearest_name(name, names);
  if (near) near->insert(0, "--");
  return near;
}

std::string unknown_option(const std::string& word, const CLI::App& app) {
  const std::string typed = word.substr(0, word.find('='));
  const std::string name = typed.substr(std::min(typed.find_first_not_of('-'), typed.size()));
  return with_nearest("there is no option " + typed,
                      name.size() == 1 ? nearest_letter(name, app) : nearest_option(name, app));
}

std::string unknown_command(const std::string& word, const Command& command) {
  std::vector<std::string> names;
  for (const Command& below : command.commands) names.push_back(below.name);
  return with_nearest("there is no command " + word + "; the commands are " + joined(names),
                      nearest_name(word, names));
}

/// What went wrong. A word that fits nowhere is told before what is missing, which it may have been
/// meant to be.
std::string mistake(const CLI::App& root, const Named& at, const CLI::ParseError& error) {
  const std::vector<std::string> words = root.remaining(true);
  const bool is_about_words = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr ||
                              dynamic_cast<const CLI::RequiredError*>(&error) != nullptr;
  if (words.empty() || !is_about_words) return error.what();
  const auto is_option = [](const std::string& word) { return word.starts_with('-'); };
  if (!at.command.commands.empty() && !is_option(words.front()))
    return unknown_command(words.front(), at.command);
  if (const auto option = std::ranges::find_if(words, is_option); option != words.end())
    return unknown_option(*option, at.app);
  return "nothing here takes " + joined(words, " ");
}

}  // namespace

Request parse(const Command& root, const std::string& version,
              const std::vector<std::string>& words) {
  CLI::App app(root.description, root.name);
  app.set_version_flag("--version", version);
  add(root, {}, app);
  Request request;
  try {
    app.parse(std::vector(words.rbegin(), words.rend()));  // CLI11 takes them last first
  } catch (const CLI::Success& help_or_version) {
    std::ostringstream text;
    app.exit(help_or_version, text, text);
    request.kind = Request::Kind::print;
    request.text = text.str();
  } catch (const CLI::ParseError& error) {
    request.kind = Request::Kind::mistake;
    request.text = mistake(app, named(root, app), error);
  }
  request.command = &named(root, app).command;
  return request;
}

}  // namespace jute::command
