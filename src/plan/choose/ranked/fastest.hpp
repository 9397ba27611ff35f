#pragma once
// Of many tiles with the clocks that are expected of them, few.
#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "plan/values/candidates.hpp"

namespace jute::plan {

/// Those that take at most half more than the fastest so far.
template <class Ranked>
class NearFastest {
 public:
  /// From so many clocks on, none is kept.
  [[nodiscard]] double limit() const { return kWorthALook * least_; }
  void add(Ranked one) {
    if (one.clocks >= limit()) return;
    least_ = std::min(least_, one.clocks);
    list_.push_back(std::move(one));
  }
  [[nodiscard]] std::vector<Ranked> list() && { return std::move(list_); }

 private:
  static constexpr double kWorthALook = 1.5;

  double least_ = std::numeric_limits<double>::infinity();
  std::vector<Ranked> list_;
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

struct RankedCandidate {
  double clocks;
  Candidate candidate;
};

/// So many of what is ranked, likewise.
[[nodiscard]] inline std::vector<Candidate> fastest_first(std::vector<RankedCandidate> list,
                                                          size_t most) {
  keep_first_of_fastest(list, most);
  std::vector<Candidate> result;
  for (RankedCandidate& one : list) result.push_back(std::move(one.candidate));
  return result;
}

}  // namespace jute::plan
