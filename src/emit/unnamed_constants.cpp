// Counts names, and leaves out what is named once.
#include <jute/emit/unnamed_constants.hpp>

#include <algorithm>
#include <cctype>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace jute {
namespace {

bool is_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

/// The names in a line, without its comment.
template <class Take>
void for_each_name(std::string_view line, Take take) {
  line = line.substr(0, line.find("//"));
  for (size_t at = 0; at < line.size();) {
    size_t end = at;
    while (end < line.size() && is_of_name(line[end])) ++end;
    if (end > at) take(line.substr(at, end - at));
    at = end + 1;
  }
}

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
  std::vector<std::string_view> lines = lines_of(text);
  std::unordered_map<std::string_view, int> count;
  for (const std::string_view line : lines)
    for_each_name(line, [&](std::string_view name) { ++count[name]; });
  // A constant may be what the last one that is left out was made of.
  for (bool changed = true; changed;) {
    changed = false;
    for (std::string_view& line : lines) {
      const std::string_view constant = constant_of(line);
      if (constant.empty() || count[constant] != 1) continue;
      for_each_name(line, [&](std::string_view name) { --count[name]; });
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
