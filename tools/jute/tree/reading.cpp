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
  const std::size_t name = word.starts_with("--") ? 2 : 1;
  return word.size() > name && word.front() == '-' && !is_number_start(word[1]) &&
         std::string_view("-! \n").find(word[name]) == std::string_view::npos;
}

/// What every command has beside its options; the version is that of `jute`.
bool is_question(const std::string& name, std::size_t level) {
  return name == "--help" || name == "-h" || name == "--help-all" ||
         (name == "--version" && level == 0);
}

/// Of the commands that a line names so far, those above the last too.
const Option* option_named(const std::vector<const Command*>& chain, std::string_view name) {
  for (const Command* command : chain)
    for (const Option& option : command->options)
      if (option.has_name(name)) return &option;
  return nullptr;
}

bool takes_number(const Option& option) {
  return !option.is_flag() && !std::holds_alternative<std::string*>(option.target) &&
         !option.takes_many() &&
         !std::holds_alternative<std::optional<std::string>*>(option.target);
}

/// `-oFILE`, `-n4`: a letter with its value attached; `-qv`: the first of several.
std::optional<Said> attached(const std::string& word, const std::vector<const Command*>& chain) {
  if (word[1] == '-' || word.size() < 3) return std::nullopt;
  const Option* option = option_named(chain, word.substr(0, 2));
  if (option == nullptr) return std::nullopt;
  Said said{.name = spoken_name(*option),
            .typed = word.substr(0, 2),
            .value = word.substr(2),
            .option = option};
  if (option->is_flag()) {
    const Option* next = option_named(chain, "-" + word.substr(2, 1));
    if (next == nullptr) return std::nullopt;
    said.value.reset();
    said.words = 0;
  } else if (takes_number(*option) && !is_number_start(word[2])) {
    return std::nullopt;
  }
  return said;
}

/// The option at a place of the line.
Said option_at(const Words& line, std::size_t at, const std::vector<const Command*>& chain) {
  const std::size_t equals = line[at].find('=');
  const std::string name = line[at].substr(0, equals);
  const Option* option = option_named(chain, name);
  if (option == nullptr)
    if (auto said = attached(line[at], chain)) return *std::move(said);
  Said said{.name = option != nullptr ? spoken_name(*option) : name,
            .typed = name,
            .value = {},
            .option = option};
  const bool takes_next = option != nullptr
                              ? !option->is_flag()
                              : !is_question(name, chain.size() - 1) && at + 1 < line.size() &&
                                    !is_option_word(line[at + 1]);
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
Said word_at(const std::string& word, const Command& command, const std::vector<Said>& before) {
  const auto is_full = [&](const Option& option) {
    return !option.takes_many() &&
           std::ranges::any_of(before, [&](const Said& said) { return said.option == &option; });
  };
  for (const Option& option : command.options)
    if (!option.is_named() && !is_full(option))
      return {.name = option.names.front(), .typed = {}, .value = word, .option = &option};
  const std::size_t equals = word.find('=');
  const bool is_named =
      equals != std::string::npos && equals > 0 && command.run != nullptr &&
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

bool Reading::gives(const Option& option) const {
  return std::ranges::find(said, &option, &Said::option) != said.end();
}

bool Reading::asks(std::string_view name) const {
  return std::ranges::any_of(said, [&](const Said& one) {
    return one.typed == name && is_question(one.typed, one.level);
  });
}

Words Reading::left_over() const {
  Words words;
  for (const Said& one : said)
    if (one.option == nullptr && !is_question(one.typed, one.level))
      words.push_back(one.typed.empty() ? *one.value : one.typed);
  return words;
}

Reading read_line(const Command& root, const Words& typed) {
  Words line = typed;
  std::vector<const Command*> chain{&root};
  std::vector<Said> all;
  bool only_words = false;
  for (std::size_t at = 0; at < line.size();) {
    const Command& command = *chain.back();
    const bool is_option = !only_words && is_option_word(line[at]);
    const auto below = std::ranges::find(command.commands, line[at], &Command::name);
    if (!is_option && below != command.commands.end()) {
      chain.push_back(&*below);
      ++at;
    } else if (!only_words && line[at] == "--") {
      only_words = command.run != nullptr;
      ++at;
    } else {
      Said said = is_option ? option_at(line, at, chain) : word_at(line[at], command, all);
      said.at = at;
      said.level = chain.size() - 1;
      if (said.words == 0) line[at].erase(1, 1);
      at += said.words;
      all.push_back(std::move(said));
    }
  }
  return {root, placed_in(root, *chain.back()), std::move(chain), std::move(all)};
}

Words edited(Words line, const Edit& edit) {
  const auto at = line.begin() + static_cast<Place>(edit.at);
  const auto behind = line.erase(at, at + static_cast<Place>(edit.words));
  line.insert(behind, edit.with.begin(), edit.with.end());
  return line;
}

bool keeps_the_rest(const Reading& before, const Reading& after, const Edit& edit) {
  // Of a line without a command nothing has been read.
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
