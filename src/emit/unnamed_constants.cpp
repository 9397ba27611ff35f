// Counts names, and leaves out what is named once.
#include <jute/emit/unnamed_constants.hpp>

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "emit/names.hpp"

namespace jute {
namespace {

/// The constant that the line defines; nothing if it is no line of a constant alone.
std::string_view constant_of(std::string_view line) {
  constexpr std::string_view kWord = "constexpr ";
  const size_t first = line.find_first_not_of(' ');
  if (first == std::string_view::npos || !line.substr(first).starts_with(kWord)) return {};
  const size_t equals = line.find(" = ");
  if (equals == std::string_view::npos) return {};
  const size_t blank = line.rfind(' ', equals - 1);
  return line.substr(blank + 1, equals - blank - 1);
}

/// The count that the line takes up to an edge, if it does nothing else: `a_k_left -= kTileK;`.
std::string_view countdown_of(std::string_view line) {
  constexpr std::string_view kDeclares[]{"const ", "int "};
  constexpr std::string_view kName = "_left";
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  for (const std::string_view word : kDeclares)
    if (line.starts_with(word)) line.remove_prefix(word.size());
  const size_t end = line.find(' ');
  if (end == std::string_view::npos || !line.substr(0, end).ends_with(kName)) return {};
  const std::string_view behind = line.substr(end);
  const bool is_whole = line.find(',') == std::string_view::npos && line.ends_with(";\n");
  return is_whole && (behind.starts_with(" = ") || behind.starts_with(" -= ")) ? line.substr(0, end)
                                                                               : std::string_view();
}

/// Takes the term away from sums; alone it is 0.
void drop_term(std::string& text, const std::string& term) {
  constexpr std::string_view kPlus = " + ";
  for (size_t at = text.find(term); at != std::string::npos; at = text.find(term, at + 1)) {
    size_t first = at, end = at + term.size();
    if (end < text.size() && emit::is_of_name(text[end])) continue;
    while (first > 0 && (emit::is_of_name(text[first - 1]) || text[first - 1] == '.')) --first;
    const bool is_behind =
        first >= kPlus.size() && text.compare(first - kPlus.size(), kPlus.size(), kPlus) == 0;
    const bool is_ahead = !is_behind && text.compare(end, kPlus.size(), kPlus) == 0;
    if (is_behind) first -= kPlus.size();
    if (is_ahead) end += kPlus.size();
    text.replace(first, end - first, is_behind || is_ahead ? "" : "0");
    at = first;
  }
}

}  // namespace

std::string without_zero_strides(std::string text) {
  constexpr std::string_view kOpening = "constexpr long long ", kZero = " = 0;";
  for (size_t at = text.find(kOpening); at != std::string::npos; at = text.find(kOpening, at + 1)) {
    const size_t name = at + kOpening.size(), end = text.find(' ', name);
    if (text.compare(end, kZero.size(), kZero) != 0) continue;
    drop_term(text, "matrix * " + text.substr(name, end - name));
  }
  return text;
}

std::string without_unnamed_constants(const std::string& text) {
  std::vector<std::string_view> lines;
  emit::for_each_line(text, [&](std::string_view line) { lines.push_back(line); });
  std::unordered_map<std::string_view, int> count;
  for (const std::string_view line : lines)
    emit::for_each_name(emit::without_comment(line), [&](std::string_view name) { ++count[name]; });
  std::unordered_map<std::string_view, int> countdowns;
  for (const std::string_view line : lines)
    if (const std::string_view name = countdown_of(line); !name.empty()) ++countdowns[name];
  // A constant may be what the last one that is left out was made of.
  for (bool changed = true; changed;) {
    changed = false;
    for (std::string_view& line : lines) {
      const std::string_view constant = constant_of(line), left = countdown_of(line);
      const bool is_unnamed = !constant.empty() && count[constant] == 1;
      const bool is_unread = !left.empty() && count[left] == countdowns[left];
      if (!is_unnamed && !is_unread) continue;
      if (is_unread) --countdowns[left];
      emit::for_each_name(emit::without_comment(line),
                          [&](std::string_view name) { --count[name]; });
      line = {};
      changed = true;
    }
  }
  std::string result;
  result.reserve(text.size());
  for (const std::string_view line : lines) result += line;
  return result;
}

}  // namespace jute
