#pragma once
// The few that take least of many candidates, by the clocks that are expected of them.
#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "plan/values/candidates.hpp"

namespace jute::plan {

inline constexpr double kNoLimit = std::numeric_limits<double>::infinity();  // of clocks
/// As many candidates as there are.
inline constexpr size_t kAllCandidates = static_cast<size_t>(-1);

/// The first so many of those that take less than `limit`, fewest clocks first; of equals those
/// whose place comes first: that in which they were added, where none is said.
template <class Ranked>
class Fastest {
 public:
  explicit Fastest(size_t most, double limit = kNoLimit) : most_(most), limit_(limit) {}

  /// A candidate that takes longer is not among them any more: nobody need look for it.
  [[nodiscard]] double limit() const { return is_full() ? last() : limit_; }
  /// Clocks of the last of them.
  [[nodiscard]] double last() const { return list_.empty() ? -kNoLimit : list_.back().one.clocks; }
  [[nodiscard]] size_t most() const { return most_; }
  /// Are so many there? Nothing comes behind them then.
  [[nodiscard]] bool is_full() const { return list_.size() >= most_; }
  void add(Ranked one) { add(std::move(one), places_); }
  void add(Ranked one, size_t place) {
    places_ = std::max(places_, place + 1);
    if (limit_ < kNoLimit && one.clocks >= limit_) return;
    const std::pair own(one.clocks, place);
    const auto at = std::ranges::upper_bound(list_, own, {}, [](const Placed& placed) {
      return std::pair(placed.one.clocks, placed.place);
    });
    if (is_full() && at == list_.end()) return;
    list_.insert(at, {std::move(one), place});
    if (list_.size() > most_) list_.pop_back();
  }
  /// Looks at shapes of tiles, those that promise most first, until none can be among the best any
  /// more: each with what none of its tiles does better than, and its place.
  template <class Shape, class LookAt>
  void look_at(std::vector<Shape> shapes, const LookAt& look) {
    const auto promises_less = [](const Shape& x, const Shape& y) {
      return std::pair(x.least, x.place) > std::pair(y.least, y.place);
    };
    std::ranges::make_heap(shapes, promises_less);
    for (; !shapes.empty() && shapes.front().least <= limit(); shapes.pop_back()) {
      look(shapes.front());
      std::ranges::pop_heap(shapes, promises_less);
    }
  }
  /// Leaves out of a short list that problems share what saves less than `worth` on another whose
  /// place comes first, and is not worth a kernel of its own.
  void keep_early(double worth) {
    if (list_.empty()) return;
    const double most = list_.front().one.clocks * (1 + worth);
    const auto is_more = [&](const Placed& placed) { return placed.one.clocks > most; };
    const auto end = std::ranges::find_if(list_, is_more);
    list_.erase(list_.begin(), std::ranges::min_element(list_.begin(), end, {}, &Placed::place));
  }
  [[nodiscard]] std::vector<Ranked> list() && {
    std::vector<Ranked> all;
    all.reserve(list_.size());
    for (Placed& placed : list_) all.push_back(std::move(placed.one));
    return all;
  }

 private:
  struct Placed {
    Ranked one;
    size_t place;
  };
  size_t most_, places_ = 0;
  double limit_;
  std::vector<Placed> list_;
};

/// All that families offer for a problem.
using RankedList = Fastest<RankedCandidate>;

}  // namespace jute::plan
