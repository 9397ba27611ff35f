// Reading numbers and words of a command line, exactly.
#include "tree/option_value.hpp"

#include <jute/base/nearest_name.hpp>
#include <jute/base/parsed_number.hpp>
#include <jute/base/split_at.hpp>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <type_traits>

#include "tree/words.hpp"

namespace jute::command {
namespace {

[[noreturn]] void refuse_value(const Option& option, const std::string& word, std::string rule,
                               std::optional<std::string> nearest = {}) {
  refuse_usage(spoken_name(option), word.empty() ? "''" : word, std::move(rule),
               std::move(nearest));
}

template <class Number>
std::optional<Number> read_number(std::string_view word) {
  if (word.starts_with('+')) word.remove_prefix(1);
  return parsed_number<Number>(word);
}

/// `0x40`, `4k` and `1M` as numbers.
std::optional<double> read_written(std::string word) {
  if (word.starts_with("0x") || word.starts_with("0X")) {
    const auto number = parsed_number<std::uint64_t>(std::string_view(word).substr(2), 16);
    return number ? std::optional(static_cast<double>(*number)) : std::nullopt;
  }
  constexpr std::string_view kUnits = "kmg";
  double unit = 1;
  if (word.size() > 1)
    if (const size_t power = kUnits.find(static_cast<char>(std::tolower(word.back() & 0x7f)));
        power != std::string_view::npos) {
      unit = std::pow(1024.0, static_cast<double>(power + 1));
      word.pop_back();
    }
  const auto number = read_number<double>(word);
  return number ? std::optional(*number * unit) : std::nullopt;
}

/// `1_024`, `64.0`, `1e3`, `4k` and `0x40` as they were meant, not `128,256`, which may be two; a
/// number beyond all that the option takes as the end of its range, where it has one: the end of
/// its type is hardly legal.
template <class Integer>
std::optional<std::string> nearest_integer(const Option& option, std::string word) {
  std::erase_if(word, [](char c) { return c == '_' || c == '\''; });
  const auto number = read_written(word);
  if (!number || std::isnan(*number)) return std::nullopt;
  if (const auto* range = std::get_if<Range>(&option.allowed)) {
    if (*number <= range->least) return std::to_string(range->least);
    if (*number >= range->most) return std::to_string(range->most);
  }
  const bool never_negative =
      std::is_unsigned_v<Integer> || std::holds_alternative<NonNegative>(option.allowed);
  if (never_negative && *number < 0) return "0";
  if (std::holds_alternative<Limit>(option.allowed) && *number < 1) return std::nullopt;
  if (*number < static_cast<double>(std::numeric_limits<Integer>::min()) ||
      *number >= static_cast<double>(std::numeric_limits<Integer>::max()))
    return std::nullopt;
  return std::to_string(static_cast<Integer>(std::round(*number)));
}

template <class Number>
const char* wanted() {
  if constexpr (std::is_floating_point_v<Number>) return "it must be a number";
  if constexpr (std::is_unsigned_v<Number>)
    return "it must be an integer from 0 to 18446744073709551615";
  return sizeof(Number) == 4 ? "it must be an integer of 32 bits"
                             : "it must be an integer of 64 bits";
}

template <class Number>
void check_range(const Option& option, const std::string& word, Number number) {
  if constexpr (std::is_signed_v<Number>) {
    if (std::holds_alternative<NonNegative>(option.allowed) && number < 0)
      refuse_value(option, word, "it must not be negative", "0");
    if (std::holds_alternative<Limit>(option.allowed) && number < 1)
      refuse_value(option, word, "it must be 1 or more, or be left out");
  }
  const auto* range = std::get_if<Range>(&option.allowed);
  if (range == nullptr) return;
  const auto least = static_cast<Number>(range->least), most = static_cast<Number>(range->most);
  if (number < least || number > most)
    refuse_value(
        option, word,
        "it must be from " + std::to_string(range->least) + " to " + std::to_string(range->most),
        std::to_string(number < least ? range->least : range->most));
}

template <class Number>
Number number_of(const Option& option, const std::string& word) {
  const auto number = read_number<Number>(word);
  if (!number) {
    std::optional<std::string> nearest;
    if constexpr (std::is_integral_v<Number>) nearest = nearest_integer<Number>(option, word);
    refuse_value(option, word, wanted<Number>(), std::move(nearest));
  }
  check_range(option, word, *number);
  return *number;
}

/// Words of others for those of options here.
constexpr std::pair<std::string_view, std::string_view> kOtherWords[] = {
    {"true", "on"},  {"yes", "on"},       {"false", "off"},      {"no", "off"},
    {"no", "never"}, {"cpu", "emulator"}, {"gpu", "cuda"},       {"c", "row"},
    {"f", "col"},    {"races", "full"},   {"racecheck", "full"}, {"memcheck", "memory"},
};

/// The word that others say so.
std::optional<std::string> other_word(const std::string& word, const Words& allowed) {
  for (const auto& [said, meant] : kOtherWords)
    if (lower_case(word) == said && std::ranges::find(allowed, meant) != allowed.end())
      return std::string(meant);
  return std::nullopt;
}

/// The word that is meant: what others say for it, the nearest spelling, or one that ends what was
/// typed, as a path does.
std::optional<std::string> meant_word(const std::string& word, const Words& allowed) {
  if (auto meant = other_word(word, allowed)) return meant;
  if (auto near = nearest_name(word, allowed)) return near;
  for (const std::string& one : allowed)
    if (word.ends_with("/" + one)) return one;
  return std::nullopt;
}

const std::string& checked_word(const Option& option, const std::string& word) {
  const auto* words = std::get_if<Words>(&option.allowed);
  // A script's variable that was never set: as if the option were not there would be no answer.
  if (words == nullptr && word.empty()) refuse_value(option, word, "it must not be empty");
  if (words != nullptr && std::ranges::find(*words, word) == words->end())
    refuse_value(option, word, "it must be one of " + joined(*words), meant_word(word, *words));
  return word;
}

/// A single-character separator stands between the values of one word.
std::vector<std::string> split(const Option& option, const std::vector<std::string>& words) {
  if (!option.separator) return words;
  std::vector<std::string> parts;
  for (const std::string& word : words)
    for (const std::string_view part : split_at(*option.separator, word)) parts.emplace_back(part);
  return parts;
}

struct Assigned {
  const Option& option;
  const std::vector<std::string>& words;

  void operator()(bool* target) const { *target = true; }
  void operator()(std::vector<std::string>* target) const {
    *target = split(option, words);
    for (const std::string& word : *target) (void)checked_word(option, word);
  }
  template <class T>
  void operator()(T* target) const {
    using Type = typename Element<T>::Type;
    if constexpr (std::is_same_v<Type, std::string>) {
      const auto* whole = std::get_if<Whole>(&option.allowed);
      *target = whole == nullptr   ? checked_word(option, words.back())
                : whole->bits > 32 ? std::to_string(number_of<Index>(option, words.back()))
                                   : std::to_string(number_of<int>(option, words.back()));
    } else {
      *target = number_of<Type>(option, words.back());
    }
  }
};

}  // namespace

std::optional<std::string> word_meant(const Option& option, const std::string& word) {
  const auto* words = std::get_if<Words>(&option.allowed);
  if (words == nullptr) return std::nullopt;
  if (std::ranges::find(*words, word) != words->end()) return word;
  return other_word(word, *words);
}

const std::string& spoken_name(const Option& option) { return option.names.back(); }

void assign(const Option& option, const std::vector<std::string>& words) {
  std::visit(Assigned{option, words}, option.target);
}

}  // namespace jute::command
