// The tree of commands as CLI11 knows it. No other file includes CLI11: it takes seconds to
// compile.
#include "parser.hpp"

#include <jute/base/nearest_name.hpp>

#include <CLI/CLI.hpp>
#include <algorithm>
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

/// The deepest command that the words named before they went wrong.
const Command& named(const Command& command, const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  if (chosen.empty()) return command;
  const CLI::App& next = *chosen.back();
  return named(*std::ranges::find(command.commands, next.get_name(), &Command::name), next);
}

/// What went wrong; a word that is no command gets the command that was probably meant.
std::string mistake(const Command& root, const CLI::App& app, const CLI::ParseError& error) {
  const auto words = app.remaining();
  if (!app.get_subcommands().empty() || words.empty() || words.front().starts_with('-'))
    return error.what();
  std::vector<std::string> names;
  for (const Command& command : root.commands) names.push_back(command.name);
  const auto near = nearest_name(words.front(), names);
  return "there is no command " + words.front() + "; the commands are " + joined(names) +
         (near ? " (nearest: " + *near + ")" : "");
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
    request.text = mistake(root, app, error);
  }
  request.command = &named(root, app);
  return request;
}

}  // namespace jute::command
