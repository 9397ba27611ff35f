#pragma once
// From times of rounds to the figures of one mode.
#include <vector>

#include "bench/results/results.hpp"

namespace jute::bench {

/// A contestant's result in the making, and its rounds.
struct Timed {
  Result result;
  std::vector<double> us, mhz, watts;
};

/// Medians, and ratios to the fastest peer of this mode: the one of the least median.
[[nodiscard]] std::vector<Result> ranked(std::vector<Timed> timed);

}  // namespace jute::bench
