// Building the tree of commands.
#include "tree/command_tree.hpp"
#include "tree/option_value.hpp"

#include <jute/base/split_at.hpp>

#include <algorithm>
#include <sstream>
#include <type_traits>

namespace jute::command {
namespace {

template <class T>
std::string usual_type_name(const T* /*target*/) {
  using Type = typename Element<T>::Type;
  if (std::is_same_v<Type, bool>) return "";
  if (std::is_same_v<Type, std::string>) return "TEXT";
  if (std::is_floating_point_v<Type>) return "FLOAT";
  return std::is_signed_v<Type> ? "INT" : "UINT";
}

template <class T>
std::string text_of(const T* value) {
  std::ostringstream text;
  if constexpr (std::is_same_v<T, typename Element<T>::Type>) text << *value;
  return text.str();
}

void place(const Command& command, const std::string& line, const std::vector<const Option*>& above,
           std::vector<PlacedCommand>& list) {
  std::vector<const Option*> options;
  for (const Option& option : command.options) options.push_back(&option);
  options.insert(options.end(), above.begin(), above.end());
  std::erase_if(options, [&](const Option* option) { return !is_read(*option, command); });
  list.push_back({command, line, options});
  for (const Command& below : command.commands)
    place(below, line + " " + below.name, options, list);
}

}  // namespace

bool is_read(const Option& option, const Command& command) {
  if (!option.is_for_readers) return true;
  return option.has_name_of(command.reads) ||
         std::ranges::any_of(command.commands,
                             [&](const Command& below) { return is_read(option, below); });
}

std::vector<PlacedCommand> all_commands(const Command& root) {
  std::vector<PlacedCommand> list;
  place(root, root.name, {}, list);
  return list;
}

PlacedCommand placed_in(const Command& root, const Command& command) {
  const std::vector<PlacedCommand> list = all_commands(root);
  return *std::ranges::find_if(
      list, [&](const PlacedCommand& placed) { return &placed.command == &command; });
}

void refuse_usage(std::string operand, std::string value, std::string rule,
                  std::optional<std::string> nearest) {
  throw UsageError(Error{.code = ErrorCode::syntax,
                         .operand = std::move(operand),
                         .value = std::move(value),
                         .violated_rules = {std::move(rule)},
                         .nearest_legal = std::move(nearest)});
}

const Option* PlacedCommand::find(std::string_view name) const {
  const auto found =
      std::ranges::find_if(options, [&](const Option* one) { return one->has_name(name); });
  return found == options.end() ? nullptr : *found;
}

UsageError::UsageError(Error error)
    : std::runtime_error(to_string(error)), error_(std::move(error)) {}

UsageError::UsageError(const std::string& operand, const std::string& rule)
    : UsageError(Error{.code = ErrorCode::syntax, .operand = operand, .violated_rules = {rule}}) {}

bool Option::has_name(std::string_view name) const {
  return std::ranges::find(names, name) != names.end();
}

bool Option::has_name_of(const std::vector<std::string>& others) const {
  return std::ranges::any_of(others, [&](const std::string& name) { return has_name(name); });
}

Option& Option::with_default() {
  default_text = std::visit([](const auto* value) { return text_of(value); }, target);
  return *this;
}

Command& Command::add(std::string_view command, std::string_view about, std::string_view works) {
  return commands.emplace_back(Command{
      .name = std::string(command),
      .description = std::string(about),
      .example = std::string(works),
  });
}

Option& Command::option(std::string_view names, Target target, std::string_view about) {
  const size_t blank = std::min(names.find(' '), names.size());
  std::string type(names.substr(std::min(blank + 1, names.size())));
  if (type.empty())
    type = std::visit([](const auto* value) { return usual_type_name(value); }, target);
  return options.emplace_back(Option{.names = split_at<std::string>(',', names.substr(0, blank)),
                                     .target = target,
                                     .description = std::string(about),
                                     .type_name = std::move(type)});
}

Option* Command::find(std::string_view wanted) {
  const auto found =
      std::ranges::find_if(options, [&](const Option& one) { return one.has_name(wanted); });
  return found == options.end() ? nullptr : &*found;
}

}  // namespace jute::command
