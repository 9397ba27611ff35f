// Three turns each, and their medians.
#include <jute/race/turns.hpp>

#include <algorithm>
#include <cmath>

namespace jute {
namespace {

constexpr int kTurns = 3;
constexpr int kLeastLaunches = 3;
constexpr double kLeastMs = 2;
constexpr int kMostLaunches = 1000;  // of a turn: a stream takes about as many ahead
constexpr double kFarBehind = 3, kLeastTurnMs = 1e-4;

int launches_of_turn(double ms) {
  const double wanted = std::ceil(kLeastMs / std::max(ms, kLeastTurnMs));
  const double all = std::max<double>(wanted, kLeastLaunches);
  return static_cast<int>(std::min<double>(std::ceil(all / kTurns), kMostLaunches));
}

}  // namespace

std::vector<double> raced_us(std::size_t contestants, const TimeTurn& time) {
  std::vector<double> first;
  for (std::size_t i = 0; i < contestants; ++i) first.push_back(time(i, 1));
  if (first.empty()) return {};
  const double fastest = *std::ranges::min_element(first);
  std::vector<std::vector<double>> turns(contestants);
  for (std::size_t turn = 0; turn < kTurns; ++turn)
    for (std::size_t i = 0; i < contestants; ++i) {
      const std::size_t each = (i + turn * (contestants / kTurns + 1)) % contestants;
      if (first[each] > kFarBehind * fastest) continue;
      const int launches = launches_of_turn(first[each]);
      turns[each].push_back(time(each, launches) / launches);
    }
  std::vector<double> us;
  for (std::size_t i = 0; i < contestants; ++i) {
    std::ranges::sort(turns[i]);
    us.push_back(1e3 * (turns[i].empty() ? first[i] : turns[i][turns[i].size() / 2]));
  }
  return us;
}

}  // namespace jute
