// Edit distance between names, for refusals that suggest the nearest one.
#include <jute/base/nearest_name.hpp>

#include <algorithm>
#include <numeric>
#include <vector>

namespace jute {
namespace {

/// Insertions, deletions and replacements that turn one text into the other. Source: Wagner and
/// Fischer, The String-to-String Correction Problem, 1974.
size_t edit_distance(std::string_view left, std::string_view right) {
  std::vector<size_t> row(right.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < left.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t j = 0; j < right.size(); ++j) {
      const size_t replaced = diagonal + (left[i] == right[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

}  // namespace

std::optional<std::string> nearest_name(std::string_view name,
                                        std::span<const std::string> candidates) {
  // Longer input than any name could need is not compared: the cost is quadratic.
  constexpr size_t kLongestName = 256;
  if (name.size() > kLongestName) return std::nullopt;
  std::optional<std::string> best;
  size_t best_distance = 0;
  for (const std::string& candidate : candidates) {
    const size_t distance = edit_distance(name, candidate);
    if (distance * 2 > std::max(candidate.size(), name.size())) continue;
    if (!best || distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

std::string joined(std::span<const std::string> names, std::string_view separator) {
  std::string text;
  for (const std::string& name : names) {
    if (!text.empty()) text += separator;
    text += name;
  }
  return text;
}

}  // namespace jute
