// Putting the nearest legal value where the refused one stands.
#include "tree/suggestion.hpp"
#include "tree/word_char.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <sstream>
#include <string_view>

namespace jute::command {
namespace {

/// Part of one word.
struct Place {
  size_t word = 0, at = 0, length = 0;
};

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
/// A number or name is not found within a longer one; the x of 64x64x32 is no part of one.
bool stands_alone(std::string_view text, size_t at, size_t length) {
  const auto joins = [](char left, char right) {
    if ((left == 'x' && is_digit(right)) || (is_digit(left) && right == 'x')) return false;
    return is_word_char(left) && is_word_char(right);
  };
  const size_t end = at + length;
  return !(at > 0 && joins(text[at - 1], text[at])) &&
         !(end < text.size() && joins(text[end - 1], text[end]));
}

/// Whole words, and those behind or before an equals sign.
std::vector<Place> whole_places(const std::vector<std::string>& words, const std::string& value,
                                const std::string& operand) {
  std::vector<Place> places;
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    const size_t equals = word.find('=');
    if (word == value) {
      if (i > 0 && words[i - 1] == operand) return {{i, 0, value.size()}};
      places.push_back({i, 0, value.size()});
    } else if (word.starts_with('-') && equals != std::string::npos) {
      if (word.substr(0, equals) == value) places.push_back({i, 0, equals});
      if (word.substr(equals + 1) == value && !value.empty())
        places.push_back({i, equals + 1, value.size()});
    }
  }
  return places;
}

std::vector<Place> inner_places(const std::vector<std::string>& words, const std::string& value) {
  std::vector<Place> places;
  if (value.empty()) return places;
  for (size_t i = 0; i < words.size(); ++i)
    for (size_t at = words[i].find(value); at != std::string::npos;
         at = words[i].find(value, at + 1))
      if (stands_alone(words[i], at, value.size())) places.push_back({i, at, value.size()});
  return places;
}

/// What stands behind an option.
std::optional<Place> place_of_option(const std::vector<std::string>& words,
                                     const std::string& name) {
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i] == name && i + 1 < words.size()) return Place{i + 1, 0, words[i + 1].size()};
    if (words[i].starts_with(name + "="))
      return Place{i, name.size() + 1, words[i].size() - name.size() - 1};
  }
  return std::nullopt;
}

/// What gave an operand its value.
std::optional<Place> place_of_operand(const std::vector<std::string>& words,
                                      const std::string& operand) {
  for (const std::string& name : options_of_operand(operand))
    if (const auto place = place_of_option(words, name)) return place;
  return std::nullopt;
}

/// Without words that nothing takes, which are told side by side.
std::optional<std::vector<std::string>> without_words(std::vector<std::string> words,
                                                      const std::string& unwanted) {
  std::istringstream list(unwanted);
  for (std::string word; list >> word;) {
    const auto last = std::find(words.rbegin(), words.rend(), word);
    if (last == words.rend()) return std::nullopt;
    words.erase(std::next(last).base());
  }
  return words;
}

/// One extent of an option's value, which is several: the second of 64x48x16 for `tile.n`, the
/// third of (8,_,8) for `permutation.k`.
std::optional<Place> place_of_extent(const std::vector<std::string>& words, const Error& error) {
  const size_t dot = error.operand.find('.');
  if (dot == std::string::npos) return std::nullopt;
  const size_t extent = std::string_view("mnk").find(error.operand.substr(dot + 1));
  const auto whole = place_of_operand(words, error.operand);
  if (extent == std::string_view::npos || !whole) return std::nullopt;
  Place place{whole->word, whole->at, 0};
  const std::string& word = words[place.word];
  const size_t end = whole->at + whole->length;
  for (size_t i = 0, at = whole->at; at <= end; at = place.at) {
    if (word[at] == '(') ++at;
    const size_t next = std::min(word.find_first_of("x,)", at), end);
    if (i++ == extent) return Place{place.word, at, next - at};
    place.at = next + 1;
  }
  return std::nullopt;
}

/// Puts words that are told side by side behind the others.
void add_words(std::vector<std::string>& words, const std::string& wanted) {
  std::istringstream list(wanted);
  for (std::string word; list >> word;) words.push_back(word);
}

/// What a rule asks to leave out, or shows how to give.
std::optional<std::vector<std::string>> by_rule(const std::vector<std::string>& words,
                                                const Error& error) {
  if (error.violated_rules.size() != 1) return std::nullopt;
  const std::string& rule = error.violated_rules.front();
  for (const char* unwanted : {"it must be left out", "it must not stand beside"})
    if (error.operand.starts_with("--") && rule.starts_with(unwanted))
      return without_option(words, error.operand);
  if (error.operand.starts_with("--") && rule == "it must be given once")
    return without_option(words, error.operand);
  if (error.operand == "arguments" && rule.find("must be given no more") != std::string::npos)
    return without_words(words, error.value);
  std::size_t example = std::string::npos;
  for (const std::string_view before : {", for example ", "its name: "})
    if (const std::size_t at = rule.find(before); at != std::string::npos)
      example = at + before.size();
  // "it needs --cute"
  if (constexpr std::string_view kNeeds = "it needs ";
      rule.starts_with("it needs --") && example == std::string::npos)
    example = kNeeds.size();
  if (example == std::string::npos) return std::nullopt;
  std::vector<std::string> longer = words;
  add_words(longer, rule.substr(example));
  return longer;
}

/// Operands whose options are called otherwise.
struct OperandName {
  std::string_view operand, option;
};
constexpr std::array<OperandName, 23> kOperandNames{{
    {"mma_atom", "--mma"},
    {"MMA atom", "--mma"},
    {"raster_width", "--raster"},
    {"A.type", "--type-a"},
    {"A.type", "--type"},
    {"B.type", "--type-b"},
    {"B.type", "--type"},
    {"C.type", "--out-type"},
    {"D.type", "--out-type"},
    {"A.ld", "--lda"},
    {"B.ld", "--ldb"},
    {"C.ld", "--ldc"},
    {"D.ld", "--ldd"},
    {"A", "--lda"},
    {"B", "--ldb"},
    {"C", "--ldc"},
    {"D", "--ldd"},
    {"A.alignment", "--align-a"},
    {"B.alignment", "--align-b"},
    {"C.alignment", "--align-c"},
    {"D.alignment", "--align-d"},
    {"accumulate", "--acc"},
    {"arch", "--arch"},
}};

}  // namespace

std::vector<std::string> options_of_operand(std::string operand) {
  std::vector<std::string> names;
  for (const OperandName& row : kOperandNames)
    if (row.operand == operand) names.emplace_back(row.option);
  if (!names.empty()) return names;
  if (operand.starts_with("--")) return {operand};
  operand = operand.substr(0, operand.find('.'));
  for (char& c : operand)
    c = c == '_' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return {"--" + operand};
}

bool is_given(const std::vector<std::string>& words, const std::string& name) {
  return std::ranges::any_of(
      words, [&](const std::string& word) { return word == name || word.starts_with(name + "="); });
}

std::optional<std::vector<std::string>> without_option(std::vector<std::string> words,
                                                       const std::string& name) {
  constexpr std::array kFlags{"--json",    "--quiet", "--verbose",     "--whole",
                              "--logical", "--ascii", "--transpose-a", "--transpose-b"};
  constexpr std::pair<std::string_view, std::string_view> kShort[] = {
      {"--verbose", "-v"}, {"--quiet", "-q"}, {"--output", "-o"}};
  const auto is_short = [&](std::string_view word) {
    return std::ranges::any_of(
        kShort, [&](const auto& row) { return row.first == name && row.second == word; });
  };
  const auto at = std::ranges::find_if(words, [&](const std::string& word) {
    return word == name || word.starts_with(name + "=") || is_short(word);
  });
  if (at == words.end()) return std::nullopt;
  const bool is_alone =
      at->starts_with(name + "=") || std::ranges::find(kFlags, name) != kFlags.end();
  const auto value = std::next(at);
  const bool takes_next = !is_alone && value != words.end() && !value->starts_with("--");
  words.erase(at, takes_next ? std::next(value) : value);
  return words;
}

std::optional<std::vector<std::string>> corrected(std::vector<std::string> words,
                                                  const Error& error) {
  if (!error.nearest_legal)
    if (auto repaired = by_rule(words, error)) return repaired;
  if (!error.nearest_legal || error.value.empty() || *error.nearest_legal == error.value)
    return std::nullopt;
  const std::string value = error.value == "''" ? "" : error.value;
  std::vector<Place> places = whole_places(words, value, error.operand);
  if (const auto extent = place_of_extent(words, error)) places = {*extent};
  if (places.size() > 1)
    if (const auto place = place_of_operand(words, error.operand)) places = {*place};
  // Options that are missing: no word of the line is wrong.
  if (places.empty() && error.nearest_legal->starts_with("--")) {
    add_words(words, *error.nearest_legal);
    return words;
  }
  if (places.empty()) places = inner_places(words, value);
  if (places.empty())
    if (const auto place = place_of_operand(words, error.operand)) places = {*place};
  if (places.size() != 1) return std::nullopt;
  const Place& place = places.front();
  words[place.word].replace(place.at, place.length, *error.nearest_legal);
  return words;
}

std::string shell_line(const std::vector<std::string>& words) {
  const auto is_plain = [](char c) {
    return is_word_char(c) || std::string_view("-./:=,+@%").find(c) != std::string_view::npos;
  };
  std::string line;
  for (const std::string& word : words) {
    if (!line.empty()) line += ' ';
    if (!word.empty() && std::ranges::all_of(word, is_plain)) {
      line += word;
      continue;
    }
    line += '\'';
    for (const char c : word) line += c == '\'' ? std::string("'\\''") : std::string(1, c);
    line += '\'';
  }
  return line;
}

}  // namespace jute::command
