#pragma once
// Of many tiles with the clocks that are expected of them, few.
#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "plan/values/candidates.hpp"

namespace jute::plan {

inline constexpr double kNoLimit = std::numeric_limits<double>::infinity();  // of clocks

/// Those that take at most half more than the fastest so far, and less than `limit`.
class NearFastest {
 public:
  explicit NearFastest(double limit = kNoLimit) : most_(limit) {}

  /// From so many clocks on, none is kept.
  [[nodiscard]] double limit() const { return std::min(most_, kWorthALook * least_); }
  void add(RankedTile one) {
    if (one.clocks >= limit()) return;
    least_ = std::min(least_, one.clocks);
    list_.push_back(std::move(one));
  }
  [[nodiscard]] std::vector<RankedTile> list() && { return std::move(list_); }

 private:
  static constexpr double kWorthALook = 1 + 0.5;

  double most_, least_ = kNoLimit;
  std::vector<RankedTile> list_;
};

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

}  // namespace jute::plan
