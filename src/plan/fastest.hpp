#pragma once
// Of many tiles with the clocks that are expected of them, few.
#include <algorithm>
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

}  // namespace jute::plan
