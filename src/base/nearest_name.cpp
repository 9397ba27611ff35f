// The nearest of many names, for refusals that suggest it.
#include <jute/base/detail/edit_distance.hpp>
#include <jute/base/nearest_name.hpp>

#include <algorithm>

namespace jute {

std::optional<std::string> nearest_name(std::string_view name,
                                        std::span<const std::string> candidates) {
  // Longer input than any name could need is not compared.
  constexpr std::size_t kLongestName = 256;
  if (name.size() > kLongestName) return std::nullopt;
  EditDistance distance(name);
  const std::string* best = nullptr;
  std::size_t best_distance = kLongestName + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t most =
        std::min(std::max(candidate.size(), name.size()) / 2, best_distance - 1);
    const std::size_t found = distance.to(candidate, most);
    if (found > most) continue;
    best = &candidate;
    best_distance = found;
    if (found == 0) break;
  }
  return best == nullptr ? std::nullopt : std::optional(*best);
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
