// Building the tree of commands.
#include "tree/command_tree.hpp"
#include "tree/element_type.hpp"

#include <algorithm>
#include <sstream>
#include <type_traits>
#include <utility>

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

std::vector<std::string> split(std::string_view names) {
  std::vector<std::string> parts;
  while (true) {
    const size_t comma = names.find(',');
    parts.emplace_back(names.substr(0, comma));
    if (comma == std::string_view::npos) return parts;
    names.remove_prefix(comma + 1);
  }
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
  const auto has_name = [&](const std::string& name) {
    return std::ranges::find(option.names, name) != option.names.end();
  };
  return std::ranges::any_of(command.reads, has_name) ||
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

UsageError::UsageError(Error error)
    : std::runtime_error(to_string(error)), error_(std::move(error)) {}

UsageError::UsageError(const std::string& operand, const std::string& rule)
    : UsageError(Error{.code = ErrorCode::syntax, .operand = operand, .violated_rules = {rule}}) {}

Option& Option::type(std::string name) {
  type_name = std::move(name);
  return *this;
}

Option& Option::under(std::string heading) {
  group = std::move(heading);
  return *this;
}

Option& Option::one_of(Words words) {
  allowed = std::move(words);
  return *this;
}

Option& Option::offers(Words words) {
  known = std::move(words);
  return *this;
}

Option& Option::between(int least, int most) {
  allowed = Range{least, most};
  return *this;
}

Option& Option::non_negative() {
  allowed = NonNegative{};
  return *this;
}

Option& Option::limit() {
  allowed = Limit{};
  return *this;
}

Option& Option::separated_by(char mark) {
  separator = mark;
  return *this;
}

Option& Option::without(std::vector<std::string> others) {
  excludes = std::move(others);
  return *this;
}

Option& Option::with(std::vector<std::string> others) {
  needs = std::move(others);
  return *this;
}

Option& Option::with_nothing_but(std::vector<std::string> others) {
  company = std::move(others);
  return *this;
}

Option& Option::required() {
  is_required = true;
  return *this;
}

Option& Option::takes(Strays words) {
  strays = words;
  return *this;
}

Option& Option::usual() {
  is_usual = true;
  return *this;
}

Option& Option::for_readers() {
  is_for_readers = true;
  return *this;
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
      .options = {},
  });
}

Option& Command::option(std::string_view names, Target target, std::string_view about) {
  return options.emplace_back(Option{
      .names = split(names),
      .target = target,
      .description = std::string(about),
      .type_name = std::visit([](const auto* value) { return usual_type_name(value); }, target),
      .group = {},
      .default_text = {},
      .allowed = {},
      .excludes = {},
      .separator = {},
  });
}

Option* Command::find(std::string_view name) {
  const auto found = std::ranges::find_if(options, [&](const Option& one) {
    return std::ranges::find(one.names, name) != one.names.end();
  });
  return found == options.end() ? nullptr : &*found;
}

}  // namespace jute::command
