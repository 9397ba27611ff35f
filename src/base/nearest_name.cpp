// The nearest of many names, for refusals that suggest it.
#include <jute/base/detail/edit_distance.hpp>
#include <jute/base/nearest_name.hpp>

#include <algorithm>

namespace jute {

namespace {

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = 'A' <= c && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return lower;
}

}  // namespace

std::optional<std::string> nearest_name(std::string_view name,
                                        std::span<const std::string> candidates) {
  // Longer input than any name could need is not compared.
  constexpr std::size_t kLongestName = 256;
  if (name.size() > kLongestName) return std::nullopt;
  // Letters in another order are one slip, however many places they move.
  const auto letters = [](std::string_view text) {
    std::string sorted = lower_case(text);
    std::ranges::sort(sorted);
    return sorted;
  };
  const std::string own_letters = letters(name);
  EditDistance distance(lower_case(name));
  const std::string* best = nullptr;
  std::size_t best_distance = kLongestName + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t most =
        std::min(std::max(candidate.size(), name.size()) / 2, best_distance - 1);
    const bool is_shuffled =
        most >= 1 && candidate.size() == name.size() && letters(candidate) == own_letters;
    const std::size_t found = is_shuffled && lower_case(candidate) != lower_case(name)
                                  ? 1
                                  : distance.to(lower_case(candidate), most);
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
