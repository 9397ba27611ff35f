// Command lines read without judging them, and edits of which the rest of a line is none.
#include "tree/reading.hpp"

#include <algorithm>
#include <cctype>
#include <tuple>

#include "tree/option_value.hpp"

namespace jute::command {
namespace {

using Place = std::ptrdiff_t;

bool is_number_start(char c) { return ('0' <= c && c <= '9') || c == '.'; }

/// An option begins with a dash; a negative number and a dash alone are words.
bool is_option_word(const std::string& word) {
  return word.size() > 1 && word.front() == '-' && !is_number_start(word[1]);
}

bool takes_number(const Option& option) {
  if (std::holds_alternative<Whole>(option.allowed)) return true;
  return !option.is_flag() && !std::holds_alternative<std::string*>(option.target) &&
         !option.takes_many() &&
         !std::holds_alternative<std::optional<std::string>*>(option.target);
}

/// `-oFILE`, `-n4`: a letter with its value attached.
std::optional<Said> attached(const std::string& word, const PlacedCommand& command) {
  if (word[1] == '-' || word.size() < 3) return std::nullopt;
  const Option* option = command.find(word.substr(0, 2));
  if (option == nullptr || option->is_flag()) return std::nullopt;
  if (takes_number(*option) && !is_number_start(word[2])) return std::nullopt;
  return Said{.name = spoken_name(*option),
              .typed = word.substr(0, 2),
              .value = word.substr(2),
              .option = option};
}

/// The option at a place of the line.
Said option_at(const Words& line, std::size_t at, const PlacedCommand& command) {
  const std::size_t equals = line[at].find('=');
  const std::string name = line[at].substr(0, equals);
  const Option* option = command.find(name);
  if (option == nullptr)
    if (auto said = attached(line[at], command)) return *std::move(said);
  Said said{.name = option != nullptr ? spoken_name(*option) : name,
            .typed = name,
            .value = {},
            .option = option};
  const bool takes_next = option == nullptr ? at + 1 < line.size() && !is_option_word(line[at + 1])
                                            : !option->is_flag();
  if (equals != std::string::npos) {
    said.value = line[at].substr(equals + 1);
  } else if (takes_next && at + 1 < line.size()) {
    said.value = line[at + 1];
    said.words = 2;
  }
  return said;
}

/// A word without a name: the value of the first positional that is not full; where the command has
/// none such, `name=value` is an option without its dashes.
Said word_at(const std::string& word, const PlacedCommand& command,
             const std::vector<Said>& before) {
  const auto is_full = [&](const Option* option) {
    return !option->takes_many() &&
           std::ranges::any_of(before, [&](const Said& said) { return said.option == option; });
  };
  for (const Option* option : command.options)
    if (!option->is_named() && !is_full(option))
      return {.name = option->names.front(), .typed = {}, .value = word, .option = option};
  const std::size_t equals = word.find('=');
  const bool is_named =
      equals != std::string::npos && equals > 0 && command.command.run != nullptr &&
      std::all_of(word.begin(), word.begin() + static_cast<Place>(equals),
                  [](unsigned char c) { return std::isalpha(c) != 0 || c == '_' || c == '-'; });
  if (!is_named) return {.name = {}, .typed = {}, .value = word};
  return {.name = "--" + word.substr(0, equals),
          .typed = word.substr(0, equals),
          .value = word.substr(equals + 1)};
}

}  // namespace

std::vector<std::string> Reading::elsewhere(const std::string& option) const {
  std::vector<std::string> lines;
  for (const PlacedCommand& placed : all_commands(root))
    for (const Option& own : placed.command.options)
      if (placed.command.run && own.has_name(option)) lines.push_back(placed.line);
  return lines;
}

Reading read_line(const Command& root, const Words& line) {
  const std::vector<PlacedCommand> commands = all_commands(root);
  const PlacedCommand* command = &commands.front();
  std::vector<Said> all;
  for (std::size_t at = 0; at < line.size();) {
    const bool is_option = is_option_word(line[at]);
    const auto next = std::ranges::find_if(commands, [&](const PlacedCommand& one) {
      return !is_option && one.line == command->line + " " + line[at];
    });
    if (next != commands.end()) {
      command = &*next;
      ++at;
      continue;
    }
    Said said = is_option ? option_at(line, at, *command) : word_at(line[at], *command, all);
    said.at = at;
    at += said.words;
    all.push_back(std::move(said));
  }
  return {root, *command, std::move(all)};
}

Words edited(Words line, const Edit& edit) {
  const auto at = line.begin() + static_cast<Place>(edit.at);
  const auto behind = line.erase(at, at + static_cast<Place>(edit.words));
  line.insert(behind, edit.with.begin(), edit.with.end());
  return line;
}

bool keeps_the_rest(const Reading& before, const Reading& after, const Edit& edit) {
  // A line without a command has not been read.
  if (!before.command.command.run) return true;
  using Kept = std::vector<std::tuple<std::string, std::optional<std::string>>>;
  const auto kept = [](const Reading& reading, std::size_t from, std::size_t count) {
    Kept rest;
    for (const Said& said : reading.said)
      if (said.at < from || said.at >= from + count) rest.emplace_back(said.name, said.value);
    return rest;
  };
  return before.command.line == after.command.line &&
         kept(before, edit.at, edit.words) == kept(after, edit.at, edit.with.size());
}

}  // namespace jute::command
