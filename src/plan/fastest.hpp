#pragma once
// Of many tiles with the clocks that are expected of them, few.
#include <algorithm>
#include <utility>
#include <vector>

namespace jute::plan {

/// Leaves so many of them, those of fewest clocks first.
template <class Ranked>
void keep_fastest(std::vector<Ranked>& list, size_t most) {
  const size_t kept = std::min(most, list.size());
  std::ranges::partial_sort(list, list.begin() + static_cast<std::ptrdiff_t>(kept), {},
                            &Ranked::clocks);
  list.resize(kept);
}

/// Likewise; of equals those that come first in the list.
template <class Ranked>
void keep_first_of_fastest(std::vector<Ranked>& list, size_t most) {
  std::ranges::stable_sort(list, {}, &Ranked::clocks);
  list.resize(std::min(most, list.size()));
}

/// So many of what is ranked, likewise.
template <class Ranked>
auto fastest_first(std::vector<Ranked> list, size_t most) {
  keep_first_of_fastest(list, most);
  std::vector<decltype(Ranked::candidate)> result;
  for (Ranked& one : list) result.push_back(std::move(one.candidate));
  return result;
}

}  // namespace jute::plan
