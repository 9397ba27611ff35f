#pragma once
// The one list of what all families offer for a problem, by what each is expected to take.
#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "plan/choose/ranked/fastest.hpp"
#include "plan/values/candidates.hpp"

namespace jute::plan {

/// The first so many, fewest clocks first; of equals those that came first.
class RankedList {
 public:
  explicit RankedList(size_t most, double limit = kNoLimit) : most_(most), limit_(limit) {}

  /// What takes so long is not among them any more: families need not look for it.
  [[nodiscard]] double limit() const { return is_full() ? list_.back().clocks : limit_; }
  /// So many at most.
  [[nodiscard]] size_t most() const { return most_; }
  /// Are so many there? Nothing comes behind them then.
  [[nodiscard]] bool is_full() const { return list_.size() >= most_; }

  void add(RankedCandidate one) {
    if (one.clocks >= limit() && (is_full() || limit_ < kNoLimit)) return;
    const auto at = std::ranges::upper_bound(list_, one.clocks, {}, &RankedCandidate::clocks);
    list_.insert(at, std::move(one));
    if (list_.size() > most_) list_.pop_back();
  }
  /// Those of a family that has an order of its own: each as if it took no less than the one ahead.
  void add_in_order(std::vector<RankedCandidate> rows) { add_from(0, std::move(rows)); }
  /// Likewise, as if they took no less than what is there.
  void add_behind(std::vector<RankedCandidate> rows) {
    add_from(list_.empty() ? 0 : list_.back().clocks, std::move(rows));
  }
  [[nodiscard]] std::vector<RankedCandidate> list() && { return std::move(list_); }

 private:
  void add_from(double least, std::vector<RankedCandidate> rows) {
    for (RankedCandidate& row : rows) {
      row.clocks = least = std::max(least, row.clocks);
      add(std::move(row));
    }
  }

  size_t most_;
  double limit_;
  std::vector<RankedCandidate> list_;
};

}  // namespace jute::plan
