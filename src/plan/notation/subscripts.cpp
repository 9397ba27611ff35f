// The text of a contraction: letters, commas, an arrow, ellipses.
#include <jute/plan/notation/subscripts.hpp>

#include <jute/base/detail/excerpt.hpp>
#include <jute/base/error.hpp>
#include <jute/base/refuse.hpp>
#include <jute/base/utf8.hpp>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/format.hpp"

namespace jute {
namespace {

constexpr char kEllipsis = '.';

/// Letters as a text spells them.
std::string spelled(const std::string& letters) {
  std::string text;
  for (const char letter : letters) text += letter == kEllipsis ? "..." : std::string(1, letter);
  return text;
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

[[noreturn]] void refuse_subscripts(std::string_view text, std::size_t at, std::string value,
                                    std::string rule,
                                    std::optional<std::string> nearest = std::nullopt) {
  throw Exception({.code = ErrorCode::syntax,
                   .operand = "contraction",
                   .value = std::move(value),
                   .violated_rules = {std::move(rule)},
                   .nearest_legal = std::move(nearest),
                   .position = SourcePosition{1, static_cast<int>(at) + 1},
                   .detail = caret_lines(excerpt(text, at))});
}

/// The letters of one operand, or of the result, from `at` to `end`.
std::string read_letters(std::string_view text, std::size_t at, std::size_t end) {
  std::string letters;
  while (at < end) {
    const char c = text[at];
    if (is_letter(c)) {
      letters += c;
    } else if (text.substr(at, 3) == "..." && at + 3 <= end) {
      if (letters.find(kEllipsis) != std::string::npos)
        refuse_subscripts(text, at, "...", "an ellipsis must stand once in an operand");
      letters += kEllipsis;
      at += 2;
    } else if (c != ' ') {
      const std::size_t bytes = std::max<std::size_t>(character_bytes(text.substr(at)), 1);
      refuse_subscripts(text, at, excerpt(text.substr(at, bytes), 0).text,
                        "an operand must be letters and at most one ellipsis, as in abk,kcd->acdb");
    }
    ++at;
  }
  return letters;
}

/// The result that einsum has of a text without an arrow.
std::string implied_result(const std::vector<std::string>& operands) {
  std::string all, result;
  for (const std::string& letters : operands) all += letters;
  std::ranges::sort(all);
  for (const char letter : all)
    if (letter != kEllipsis && std::ranges::count(all, letter) == 1) result += letter;
  return all.find(kEllipsis) == std::string::npos ? result : kEllipsis + result;
}

/// Each letter of the result stands there once and in an operand.
void check_result(std::string_view text, const Subscripts& subscripts) {
  std::string known;
  for (const std::string& letters : subscripts.operands) known += letters;
  const std::size_t arrow = text.find("->");
  for (const char letter : subscripts.result) {
    const std::string axis = spelled(std::string(1, letter));
    if (std::ranges::count(subscripts.result, letter) > 1)
      refuse_subscripts(text, text.rfind(letter), axis,
                        base::format("{} must stand once in the result", axis));
    if (known.find(letter) == std::string::npos)
      refuse_subscripts(text, text.find(letter, arrow), axis,
                        base::format("{} of the result must stand in an operand", axis));
  }
}

}  // namespace

Subscripts parse_subscripts(std::string_view text) {
  Subscripts subscripts;
  const std::size_t arrow = text.find("->");
  const std::size_t operands_end = std::min(arrow, text.size());
  for (std::size_t at = 0; at <= operands_end;) {
    const std::size_t comma = std::min(text.find(',', at), operands_end);
    subscripts.operands.push_back(read_letters(text, at, comma));
    at = comma + 1;
  }
  if (subscripts.operands.size() > kMostContracted)
    refuse_subscripts(text, 0, std::to_string(subscripts.operands.size()),
                      base::format("operands must be at most {}", kMostContracted),
                      std::to_string(kMostContracted));
  subscripts.result = arrow == std::string_view::npos ? implied_result(subscripts.operands)
                                                      : read_letters(text, arrow + 2, text.size());
  check_result(text, subscripts);
  return subscripts;
}

namespace {

[[noreturn]] void refuse_rank(std::size_t operand, const std::string& letters, std::size_t rank) {
  const bool is_open = letters.find(kEllipsis) != std::string::npos;
  const std::size_t named = letters.size() - (is_open ? 1 : 0);
  const bool is_too_many = is_open && rank >= named;
  throw Exception(
      {.code = ErrorCode::wrong_arity,
       .operand = base::format("operand {}", operand + 1),
       .value = base::format("{} axes", rank),
       .violated_rules =
           {named == 0 && !is_open ? "it must have no axes: the text has no letters for it"
            : is_too_many
                ? base::format("an ellipsis must stand for at most {} axes", kMostEllipsisAxes)
                : base::format("it must have {} {} axes, one for each letter of {}",
                               is_open ? "at least" : "exactly", named, spelled(letters))},
       .nearest_legal = base::format("{} axes", named + (is_too_many ? kMostEllipsisAxes : 0))});
}

/// `letters` with the digits `most - axes` to `most - 1` in place of the ellipsis.
std::string expanded(const std::string& letters, std::size_t axes, std::size_t most) {
  std::string digits;
  for (std::size_t i = most - axes; i < most; ++i) digits += static_cast<char>('0' + i);
  std::string result = letters;
  if (const auto at = result.find(kEllipsis); at != std::string::npos)
    result.replace(at, 1, digits);
  return result;
}

}  // namespace

Subscripts with_ranks(const Subscripts& subscripts, std::span<const std::size_t> ranks) {
  const std::vector<std::string>& operands = subscripts.operands;
  if (ranks.size() != operands.size())
    refuse(ErrorCode::wrong_arity, "contraction", base::format("{} arrays", ranks.size()),
           base::format("{} needs one array for each operand", to_string(subscripts)),
           base::format("{} arrays", operands.size()));
  std::vector<std::size_t> axes(operands.size(), 0);  // of each ellipsis
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const bool is_open = operands[i].find(kEllipsis) != std::string::npos;
    const std::size_t named = operands[i].size() - (is_open ? 1 : 0);
    const bool fits =
        is_open ? ranks[i] >= named && ranks[i] - named <= kMostEllipsisAxes : ranks[i] == named;
    if (!fits) refuse_rank(i, operands[i], ranks[i]);
    axes[i] = ranks[i] - named;
  }
  const std::size_t most = axes.empty() ? 0 : *std::ranges::max_element(axes);
  Subscripts result;
  for (std::size_t i = 0; i < operands.size(); ++i)
    result.operands.push_back(expanded(operands[i], axes[i], most));
  result.result = expanded(subscripts.result, most, most);
  return result;
}

std::string to_string(const Subscripts& subscripts) {
  std::string text;
  for (std::size_t i = 0; i < subscripts.operands.size(); ++i) {
    if (i > 0) text += ',';
    text += spelled(subscripts.operands[i]);
  }
  return text + "->" + spelled(subscripts.result);
}

}  // namespace jute
