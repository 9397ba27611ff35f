// Medians, quotients, and the screening of candidates.
#include "race/results/statistics.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>
#include <utility>

namespace jute::bench {
namespace {

constexpr int kFirstReplays = 2;
// Two replays of one graph differ by a few percent; a candidate this far behind cannot win.
constexpr double kFarBehind = 1.25;

}  // namespace

double median(std::span<const double> values) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  std::vector<double> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  const size_t half = sorted.size() / 2;
  return sorted.size() % 2 != 0 ? sorted[half] : 0.5 * (sorted[half - 1] + sorted[half]);
}

Quotient quotient(std::span<const double> peer, std::span<const double> own) {
  std::vector<double> rounds;
  for (size_t i = 0; i < std::min(peer.size(), own.size()); ++i) rounds.push_back(peer[i] / own[i]);
  if (rounds.empty()) return {};
  return {median(rounds), std::ranges::min(rounds), std::ranges::max(rounds)};
}

std::vector<size_t> least(std::span<const double> values, size_t count) {
  std::vector<size_t> order(values.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, {}, [&](size_t i) { return values[i]; });
  order.resize(std::min(count, order.size()));
  return order;
}

std::vector<size_t> turns(size_t contestants, int round) {
  std::vector<size_t> order(contestants);
  std::iota(order.begin(), order.end(), size_t{0});
  std::minstd_rand random(static_cast<unsigned>(round) + 1);
  random.discard(8);  // near seeds begin alike
  for (size_t i = contestants; i > 1; --i) std::swap(order[i - 1], order[random() % i]);
  return order;
}

std::vector<double> screen(size_t candidates, int replays,
                           const std::function<double(size_t)>& replay) {
  std::vector<std::vector<double>> times(candidates);
  double fastest = std::numeric_limits<double>::infinity();
  for (int round = 0; round < kFirstReplays; ++round)
    for (size_t i = 0; i < candidates; ++i) {
      times[i].push_back(replay(i));
      fastest = std::min(fastest, times[i].back());
    }
  for (int round = kFirstReplays; round < replays; ++round)
    for (size_t i = 0; i < candidates; ++i)
      if (std::min(times[i][0], times[i][1]) < kFarBehind * fastest) times[i].push_back(replay(i));
  std::vector<double> medians;
  for (const auto& each : times) medians.push_back(median(each));
  return medians;
}

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
    // A product without the epilogue has nothing to be held against.
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
