// Putting the nearest legal word where the refused one stands.
#include "tree/suggestion.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <string_view>

#include "tree/foreign_words.hpp"
#include "tree/option_value.hpp"
#include "tree/words.hpp"

namespace jute::command {
namespace {

/// A number or name is not found within a longer one; the x of 64x64x32 is no part of one.
bool stands_alone(std::string_view text, size_t at, size_t length) {
  const auto is_digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
  const auto joins = [&](char left, char right) {
    if ((left == 'x' && is_digit(right)) || (is_digit(left) && right == 'x')) return false;
    return is_word_char(left) && is_word_char(right);
  };
  const size_t end = at + length;
  return !(at > 0 && joins(text[at - 1], text[at])) &&
         !(end < text.size() && joins(text[end - 1], text[end]));
}

/// Where a value stands in another, alone and once.
std::optional<size_t> inner_place(std::string_view text, std::string_view value) {
  std::optional<size_t> place;
  if (value.empty()) return place;
  for (size_t at = text.find(value); at != std::string_view::npos; at = text.find(value, at + 1)) {
    if (!stands_alone(text, at, value.size())) continue;
    if (place) return std::nullopt;
    place = at;
  }
  return place;
}

/// Operands whose options are called otherwise.
struct OperandName {
  std::string_view operand, option;
};
constexpr std::array<OperandName, 11> kOperandNames{{
    {"mma_atom", "--mma"},
    {"MMA atom", "--mma"},
    {"raster_width", "--raster"},
    {"A.type", "--type-a"},
    {"A.type", "--type"},
    {"B.type", "--type-b"},
    {"B.type", "--type"},
    {"C.type", "--out-type"},
    {"D.type", "--out-type"},
    {"accumulate", "--acc"},
    {"arch", "--arch"},
}};

/// The options that may have given an operand of a refusal its value, the likelier first: `--mma`
/// for `mma_atom`, `--lda` for `A.ld`.
std::vector<std::string> options_of(const std::string& operand, const PlacedCommand& command) {
  std::vector<std::string> names;
  for (const OperandName& row : kOperandNames)
    if (row.operand == operand) names.emplace_back(row.option);
  const char matrix = operand.empty() ? ' ' : operand.front();
  for (const auto& [part, option] :
       {std::pair("", "--ld"), std::pair(".ld", "--ld"), std::pair(".alignment", "--align-")})
    if ('A' <= matrix && matrix <= 'D' && operand.substr(1) == part)
      names.push_back(option + std::string(1, static_cast<char>(matrix - 'A' + 'a')));
  if (operand.starts_with("--")) names = {operand};
  std::erase_if(names, [&](const std::string& name) {
    return std::ranges::none_of(command.options,
                                [&](const Option* one) { return spoken_name(*one) == name; });
  });
  return names;
}

/// Is it the option or the argument whose name is the operand's, `--tile` for `tile.m`?
bool is_named(const Said& said, std::string operand) {
  operand = lower_case(operand.substr(0, operand.find('.')));
  std::ranges::replace(operand, '_', '-');
  return said.name == operand || said.name == "--" + operand;
}

/// The name and value of one thing that was said, with another value.
Edit with_value(const Words& line, const Said& said, const std::string& value) {
  if (said.typed.empty()) return {said.at, 1, {value}};
  const std::string& first = line[said.at];
  if (said.words == 2) return {said.at, 2, {first, value}};
  return {said.at, 1, {first.substr(0, first.size() - said.value->size()) + value}};
}

/// One extent of an option's value, which is several: the second of 64x48x16 for `tile.n`, the
/// third of (8,_,8) for `permutation.k`.
std::optional<std::string> with_extent(const std::string& word, const Error& error) {
  const size_t dot = error.operand.find('.');
  const std::string axis = dot == std::string::npos ? "" : error.operand.substr(dot + 1);
  if (axis.size() != 1 || word.find_first_of("x,") == std::string::npos) return std::nullopt;
  size_t extent = std::string_view("mnk").find(axis);
  size_t at = word.front() == '(' ? 1 : 0;
  for (; extent != 0 && at < word.size(); --extent)
    at = std::min(word.find_first_of("x,)", at), word.size() - 1) + 1;
  const size_t end = std::min(word.find_first_of("x,)", at), word.size());
  return word.substr(0, at) + *error.nearest_legal + word.substr(end);
}

/// Does the option know the word? Then it is what was meant, though it does not go with the rest.
bool is_known(const Said& said) {
  return said.option != nullptr && !said.option->known.empty() &&
         std::ranges::find(said.option->known, *said.value) != said.option->known.end();
}

/// The value with what is legal in place of what is not; nothing where that is not part of it.
std::optional<std::string> mended_value(const std::string& value, const Error& error) {
  const std::string refused = error.value == "''" ? "" : error.value;
  if (value == refused) return *error.nearest_legal;
  if (auto extent = with_extent(value, error)) return extent;
  const auto at = inner_place(value, refused);
  if (!at) return std::nullopt;
  return std::string(value).replace(*at, refused.size(), *error.nearest_legal);
}

/// The nearest legal value where the refused one stands: in what the error names; where nothing is
/// named so, in the only thing of the line that has it.
std::vector<Edit> nearest_edits(const Words& line, const Reading& reading, const Error& error) {
  const std::vector<std::string> options = options_of(error.operand, reading.command);
  std::vector<const Said*> named;
  for (const std::string& name : options)
    for (const Said& said : reading.said)
      if (said.name == name && said.value) named.push_back(&said);
  // Where the text of a problem is given, no option says the same.
  for (const Said& said : reading.said)
    if (named.empty() && said.name == "--problem" && said.value) named.push_back(&said);
  for (const Said& said : reading.said)
    if (options.empty() && said.value && is_named(said, error.operand)) named.push_back(&said);
  if (std::ranges::any_of(named, [](const Said* said) { return is_known(*said); })) return {};
  for (const Said* said : named)
    if (const auto value = mended_value(*said->value, error))
      return {with_value(line, *said, *value)};
  std::vector<Edit> edits;
  for (const Said& said : reading.said)
    if (options.empty() && said.value)
      if (const auto value = mended_value(*said.value, error))
        edits.push_back(with_value(line, said, *value));
  if (!edits.empty()) return edits.size() == 1 ? edits : std::vector<Edit>();
  // As it was read it is not as it was typed.
  if (named.size() == 1 && !named.front()->typed.empty() && named.front()->name != "--problem")
    return {with_value(line, *named.front(), *error.nearest_legal)};
  if (!named.empty()) return {};
  if (!options.empty() && !error.nearest_legal->starts_with("--"))
    return {{line.size(), 0, {options.front(), *error.nearest_legal}}};
  if (!error.nearest_legal->starts_with("--")) return {};
  return {{line.size(), 0, words_in(*error.nearest_legal)}};
}

/// The words that a rule shows: "it must be given, for example --random 1", "it needs --cute".
std::vector<Edit> shown_edits(const Words& line, const Error& error) {
  if (error.violated_rules.size() != 1) return {};
  std::string_view rule = error.violated_rules.front();
  size_t start = std::string_view::npos;
  for (const std::string_view before : {", for example ", "its name: ", "it needs "})
    if (const size_t at = rule.find(before); at != std::string_view::npos && start > rule.size())
      start = at + before.size();
  if (start > rule.size()) return {};
  const Words words = words_in(rule.substr(start));
  const bool is_whole = !words.empty() && words.size() <= 2 && words.front().starts_with("--") &&
                        words.front().find_first_of(",:;") == std::string::npos;
  if (!is_whole) return {};
  return {{line.size(), 0, words}};
}

bool writes(const Reading& reading, const std::string& file) {
  return std::ranges::any_of(reading.said, [&](const Said& said) {
    return said.name == "--output" && said.value && said.value->ends_with(file);
  });
}

/// Our words for what nobody has.
std::vector<Edit> option_edits(const Reading& reading, const Error& error) {
  std::vector<Edit> edits;
  const auto said = std::ranges::find_if(
      reading.said, [&](const Said& one) { return one.is_unknown() && one.typed == error.value; });
  if (said == reading.said.end()) return edits;
  for (const Meaning& meaning : meanings(*said, reading))
    if (meaning.words) edits.push_back({said->at, said->words, *meaning.words});
  return edits;
}

std::vector<Edit> command_edits(const Words& line, const Reading& reading, const Error& error) {
  std::vector<Edit> edits;
  const auto at = static_cast<size_t>(std::ranges::find(line, error.value) - line.begin());
  if (at == line.size()) return edits;
  for (const Meaning& meaning : command_meanings(error.value, reading.command))
    if (meaning.words) edits.push_back({at, 1, *meaning.words});
  return edits;
}

bool is_extent(const std::string& word) {
  return !word.empty() && word.find_first_not_of("0123456789") == std::string::npos;
}

/// The first word that stands without a name, behind the first option that takes such and is not
/// given: the first of three numbers behind --m. Of numbers there must be one for each.
std::vector<Edit> stray_edits(const Reading& reading) {
  std::vector<const Said*> strays;
  for (const Said& said : reading.said)
    if (said.option == nullptr && said.name.empty()) strays.push_back(&said);
  if (strays.empty()) return {};
  Words values = words_in(*strays.front()->value, 'x');
  const bool are_extents = std::ranges::all_of(values, is_extent);
  if (!are_extents) values = {*strays.front()->value};
  Words names;
  for (const Option* option : reading.command.options) {
    const bool is_given =
        std::ranges::any_of(reading.said, [&](const Said& said) { return said.option == option; });
    if (!is_given && option->strays == (are_extents ? Strays::extent : Strays::word))
      names.push_back(spoken_name(*option));
  }
  const auto is_number = [](const Said* said) { return is_extent(*said->value); };
  const auto numbers = static_cast<size_t>(std::ranges::count_if(strays, is_number));
  if (names.size() < values.size()) return {};
  if (are_extents && names.size() != std::max(values.size(), numbers)) return {};
  Edit edit{strays.front()->at, 1, {}};
  for (size_t i = 0; i < values.size(); ++i)
    edit.with.insert(edit.with.end(), {names[i], values[i]});
  return {edit};
}

}  // namespace

std::vector<Edit> edits_for(const Words& line, const Reading& reading, const Error& error) {
  if (error.operand == "option") return option_edits(reading, error);
  if (error.operand == "command") return command_edits(line, reading, error);
  if (error.operand == "arguments") return stray_edits(reading);
  if (!error.nearest_legal) return shown_edits(line, error);
  if (error.value.empty() || *error.nearest_legal == error.value) return {};
  // A file that the line itself writes is there from its last run.
  if (error.code == ErrorCode::file_not_found && writes(reading, *error.nearest_legal)) return {};
  return nearest_edits(line, reading, error);
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
