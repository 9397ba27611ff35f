// Counts names, and leaves out what is named once.
#include <jute/emit/unnamed_constants.hpp>

#include <string_view>
#include <unordered_map>
#include <vector>

#include "emit/names.hpp"

namespace jute {
namespace {

/// What the line defines; nothing if it is no line of a constant alone.
std::string_view constant_of(std::string_view line) {
  constexpr std::string_view kWord = "constexpr ";
  const size_t first = line.find_first_not_of(' ');
  if (first == std::string_view::npos || !line.substr(first).starts_with(kWord)) return {};
  const size_t equals = line.find(" = ");
  if (equals == std::string_view::npos) return {};
  const size_t blank = line.rfind(' ', equals - 1);
  return line.substr(blank + 1, equals - blank - 1);
}

}  // namespace

std::string without_unnamed_constants(const std::string& text) {
  std::vector<std::string_view> lines;
  emit::for_each_line(text, [&](std::string_view line) { lines.push_back(line); });
  std::unordered_map<std::string_view, int> count;
  for (const std::string_view line : lines)
    emit::for_each_name(emit::without_comment(line), [&](std::string_view name) { ++count[name]; });
  // A constant may be what the last one that is left out was made of.
  for (bool changed = true; changed;) {
    changed = false;
    for (std::string_view& line : lines) {
      const std::string_view constant = constant_of(line);
      if (constant.empty() || count[constant] != 1) continue;
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
