// Medians and ratios of one mode.
#include "bench/results/ranking.hpp"

#include "bench/results/statistics.hpp"

namespace jute::bench {
namespace {

/// Zeros are figures that nobody could tell.
double known_median(const std::vector<double>& values) {
  return values.empty() ? 0.0 : median(values);
}

const Timed* plain_kernel(const std::vector<Timed>& timed) {
  for (const Timed& each : timed)
    if (each.result.side == Side::plain && !each.us.empty()) return &each;
  return nullptr;
}

const Timed* fastest_peer(const std::vector<Timed>& timed) {
  const Timed* fastest = nullptr;
  for (const Timed& each : timed) {
    if (each.result.side != Side::peer || each.us.empty() || !is_right(each.result)) continue;
    if (fastest == nullptr || median(each.us) < median(fastest->us)) fastest = &each;
  }
  return fastest;
}

}  // namespace

std::vector<Result> ranked(std::vector<Timed> timed) {
  const Timed* const peer = fastest_peer(timed);
  const Timed* const plain = plain_kernel(timed);
  std::vector<Result> results;
  for (const Timed& each : timed) {
    Result result = each.result;
    result.us = known_median(each.us);
    result.mhz = known_median(each.mhz);
    result.watts = known_median(each.watts);
    if (plain != nullptr && !each.us.empty()) result.of_plain = quotient(each.us, plain->us).median;
    // What leaves the epilogue out has nothing to be held against.
    if (peer != nullptr && !each.us.empty() && result.side != Side::plain) {
      const Quotient ratio = quotient(peer->us, each.us);
      result.ratio = ratio.median;
      result.least = ratio.least;
      result.most = ratio.most;
    }
    results.push_back(std::move(result));
  }
  return results;
}

}  // namespace jute::bench
