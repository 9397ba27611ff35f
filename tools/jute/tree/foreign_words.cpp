// Words of other programs, and misspelled ones, in words of this one.
#include "tree/foreign_words.hpp"

#include <jute/atom/catalogue.hpp>
#include <jute/base/nearest_name.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <sstream>
#include <string_view>

#include "tree/option_value.hpp"

namespace jute::command {
namespace {

struct ForeignWord {
  std::string_view said, meant;
};
/// Means a word for which jute has none, whatever is like it.
constexpr std::string_view kNothing = "-";
constexpr std::array kForeignWords{
#include "tree/foreign_words.inc"
};

/// As the table has words: small letters, without dashes and '_'.
std::string folded(std::string_view word) {
  std::string text;
  for (const char c : word)
    if (c != '-' && c != '_')
      text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

std::string_view without_dashes(std::string_view name) {
  return name.substr(std::min(name.find_first_not_of('-'), name.size()));
}

bool is_said(const ForeignWord& row, const std::string& name) {
  if (!row.said.ends_with('*')) return folded(name) == row.said;
  const std::string_view begin = row.said.substr(0, row.said.size() - 1);
  return name.starts_with(begin) || folded(name).starts_with(begin);
}

/// "version" alone means an option where a command stands.
bool is_command(const ForeignWord& row) {
  const bool is_word = !row.meant.empty() && row.meant.find_first_of("-{") != 0;
  return is_word || row.said == "version";
}

Words words_in(std::string_view text, char mark = ' ') {
  Words words;
  std::istringstream stream{std::string(text)};
  for (std::string word; std::getline(stream, word, mark);) words.push_back(word);
  return words;
}

/// Has a name a word, or the beginning of one, for each of the other's?
bool has_words_of(const Words& words, const Words& others) {
  return std::ranges::all_of(others, [&](const std::string& other) {
    return std::ranges::any_of(words, [&](const std::string& word) {
      return word.starts_with(other) || other.starts_with(word);
    });
  });
}

/// How many letters two names have in common at their beginning and their end.
size_t common_letters(const std::string& a, const std::string& b) {
  const auto first = std::ranges::mismatch(a, b);
  const auto begin = static_cast<size_t>(first.in1 - a.begin());
  const size_t most = std::min(a.size(), b.size()) - begin;
  size_t end = 0;
  while (end < most && a[a.size() - 1 - end] == b[b.size() - 1 - end]) ++end;
  return begin + end;
}

/// Is a name so near another that what it stands for was meant, not only one that is like it?
bool is_close(std::string name, std::string other) {
  std::ranges::replace(name, '_', '-');
  std::string a = folded(name), b = folded(other);
  constexpr size_t kLong = 8, kShort = 4;
  const size_t letters = std::max(a.size(), b.size());
  const size_t most = letters >= kLong ? 2 : letters >= kShort ? 1 : 0;
  if (a.starts_with(b) || b.starts_with(a)) return true;
  if (common_letters(a, b) + most >= letters) return true;
  const Words words = words_in(without_dashes(name), '-'),
              others = words_in(without_dashes(other), '-');
  if (has_words_of(words, others) || has_words_of(others, words)) return true;
  std::ranges::sort(a);
  std::ranges::sort(b);
  return a == b;
}

/// The nearest name, if it is close; the first and the last, where several are equally near.
Words nearest_names(const std::string& name, Words names) {
  const auto first = nearest_name(name, names);
  std::ranges::reverse(names);
  const auto last = nearest_name(name, names);
  if (!first || !is_close(name, *first)) return {};
  return first == last ? Words{*first} : Words{*first, *last};
}

bool is_option(std::string_view word) { return word.starts_with('-'); }

const Option* option_of(const PlacedCommand& command, const std::string& name) {
  const auto found = std::ranges::find_if(command.options, [&](const Option* option) {
    return std::ranges::find(option->names, name) != option->names.end();
  });
  return found == command.options.end() ? nullptr : *found;
}

bool has_positional(const PlacedCommand& command) {
  return std::ranges::any_of(
      command.options, [](const Option* option) { return !is_option(option->names.front()); });
}

/// A value that stands as a word of its own behind what takes none: an argument of the command.
std::optional<Words> beside_value(Words words, const Said& unknown, const Reading& line) {
  if (!unknown.value) return words;
  if (unknown.words != 2 || !has_positional(line.command)) return std::nullopt;
  words.push_back(*unknown.value);
  return words;
}

/// A row's words with the value in their holes.
std::optional<Words> filled(std::string_view meant, const Said& unknown, const Reading& line) {
  const std::string value = unknown.value.value_or("");
  std::string comma_value = value;
  std::ranges::replace(comma_value, 'x', ',');
  const Words extents = words_in(comma_value, ',');
  const std::string whole =
      unknown.words == 1 && unknown.value ? unknown.typed + "=" + value : unknown.typed;
  Words words = words_in(meant);
  bool takes_value = false;
  for (std::string& word : words) {
    const auto fill = [&](std::string_view hole, const std::string& with) {
      const size_t at = word.find(hole);
      if (at != std::string::npos) word.replace(at, hole.size(), with);
      return at != std::string::npos;
    };
    for (size_t i = 0; i < 3; ++i)
      if (const std::string hole = "{" + std::to_string(i) + "}"; word.find(hole) != word.npos) {
        if (extents.size() != 3) return std::nullopt;
        takes_value = fill(hole, extents[i]);
      }
    takes_value = fill("{}", value) || takes_value;
    if (fill("{word}", whole) && unknown.words == 1) takes_value = true;
  }
  if (!takes_value) return beside_value(std::move(words), unknown, line);
  if (!unknown.value && meant.find("{word}") == std::string_view::npos) return std::nullopt;
  return words;
}

/// What the table has for the word, of what the command takes and was not told.
std::vector<Meaning> of_table(const Said& unknown, const Reading& line) {
  std::vector<Meaning> list;
  for (const ForeignWord& row : kForeignWords) {
    if (!is_said(row, unknown.name) || is_command(row)) continue;
    bool is_taken = !row.meant.starts_with('{') || has_positional(line.command);
    std::string nearest;
    for (const std::string& word : words_in(row.meant)) {
      if (!is_option(word)) continue;
      const Option* option = option_of(line.command, word);
      is_taken = is_taken && option != nullptr;
      if (nearest.empty()) nearest = word;
    }
    if (row.meant == kNothing) return {Meaning{}};
    if (is_taken) list.push_back({nearest, filled(row.meant, unknown, line)});
  }
  return list;
}

/// A flag that is a word of an option here: --cpu for --device emulator.
std::vector<Meaning> of_values(const Said& unknown, const Reading& line) {
  std::vector<Meaning> list;
  const std::string name(without_dashes(unknown.name));
  if (name.size() == 1) return list;  // letters are options
  for (const Option* option : line.command.options)
    if (const auto word = word_meant(*option, name))
      list.push_back(
          {spoken_name(*option), beside_value({spoken_name(*option), *word}, unknown, line)});
  return list;
}

/// The options of that letter, or of the same in the other case; of longer names the argument that
/// is called so, or the nearest, compared without their dashes, which are no likeness.
std::vector<std::string> nearest_options(std::string_view name, const PlacedCommand& command) {
  std::vector<std::string> names{"--help", "--help-all"}, same, likely;
  if (command.line == command.command.name) names.emplace_back("--version");
  for (const Option* option : command.options)
    for (const std::string& known : option->names)
      if (is_option(known)) names.push_back(known);
  if (name.size() == 1) {
    for (const std::string& known : names) {
      if (without_dashes(known) == name) same.push_back(known);
      if (folded(known) == folded(name)) likely.push_back(known);
    }
    return same.empty() ? likely : same;
  }
  for (const Option* option : command.options)
    if (!is_option(option->names.front()) && folded(option->names.front()) == folded(name))
      return {option->names.front()};
  std::erase_if(names, [](const std::string& known) { return !known.starts_with("--"); });
  for (std::string& known : names) known.erase(0, 2);
  likely = nearest_names(std::string(name), names);
  for (std::string& known : likely) known.insert(0, "--");
  return likely;
}

bool is_command_of(const PlacedCommand& above, const Words& words) {
  return above.line == above.command.name ||
         (words.size() > 1 && words.front() == above.command.name);
}

/// The commands that take such a word as an argument.
std::string_view command_of_argument(const std::string& word) {
  const Catalogue catalogue;
  if (word.ends_with(".ptx") || word.ends_with(".cu")) return "emulate";
  if (word.find_first_of("(:") != std::string::npos) return "eval";
  return catalogue.try_mma(word) || catalogue.try_copy(word) ? "atom show" : "";
}

}  // namespace

std::vector<Meaning> meanings(const Said& unknown, const Reading& line) {
  if (auto list = of_table(unknown, line); !list.empty()) return list;
  if (auto list = of_values(unknown, line); !list.empty()) return list;
  // A letter of another command's is a letter.
  if (unknown.typed.size() > 2 && !line.elsewhere(unknown.typed).empty()) return {};
  std::vector<Meaning> list;
  for (const std::string& name : nearest_options(without_dashes(unknown.name), line.command)) {
    Words words;
    if (is_option(name)) words = {name};
    if (unknown.words == 2 || !is_option(name)) words.push_back(unknown.value.value_or(""));
    if (is_option(name) && unknown.words == 1 && unknown.value)
      words.front() += "=" + *unknown.value;
    if (is_option(name))
      list.push_back({name, std::move(words)});
    else if (unknown.value)
      list.push_back({"", std::move(words)});
  }
  return list;
}

std::vector<Meaning> command_meanings(const std::string& word, const PlacedCommand& above) {
  const auto below = [&](Words words) {
    if (above.line != above.command.name) words.erase(words.begin());
    return words;
  };
  for (const ForeignWord& row : kForeignWords)
    if (const Words words = words_in(row.meant);
        folded(word) == row.said && is_command(row) && is_command_of(above, words))
      return {{joined(below(words), " "), below(words)}};
  if (Words words = words_in(command_of_argument(word));
      !words.empty() && is_command_of(above, words)) {
    words = below(words);
    const std::string nearest = joined(words, " ");
    words.push_back(word);
    return {{nearest, words}};
  }
  std::vector<std::string> names;
  for (const Command& command : above.command.commands) names.push_back(command.name);
  std::vector<Meaning> list;
  for (const std::string& name : nearest_names(word, names)) list.push_back({name, Words{name}});
  return list;
}

}  // namespace jute::command
