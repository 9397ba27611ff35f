#pragma once
// What is made of the times of many rounds.
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "race/results/results.hpp"

namespace jute::bench {

/// Not a number when there are none.
[[nodiscard]] double median(std::span<const double> values);

/// The median over rounds of a quotient, and its extremes.
struct Quotient {
  double median = 0, least = 0, most = 0;
  bool operator==(const Quotient&) const = default;
};
/// peer / own, round by round: what the device did meanwhile, its clock above all, hits both.
[[nodiscard]] Quotient quotient(std::span<const double> peer, std::span<const double> own);

/// The indices of the least `count` values, the least first.
[[nodiscard]] std::vector<size_t> least(std::span<const double> values, size_t count);

/// The order in which contestants take their turns in a round: another one each time, the same in
/// every run. What a contestant finds (clock, heat) is what the one before it left.
[[nodiscard]] std::vector<size_t> turns(size_t contestants, int round);

/// Times many candidates of which few can win: each is replayed twice, and those that are not far
/// behind the fastest so far at least `replays` times. Gives each one's median.
///   replay  one timed replay of a candidate
[[nodiscard]] std::vector<double> screen(size_t candidates, int replays,
                                         const std::function<double(size_t)>& replay);

/// A contestant's result in the making, and its rounds.
struct Timed {
  Result result;
  std::vector<double> us, mhz, watts;
};

/// Medians, and ratios to the fastest peer of this mode: the one of the least median.
[[nodiscard]] std::vector<Result> ranked(std::vector<Timed> timed);

}  // namespace jute::bench
