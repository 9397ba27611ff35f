// Who races, who wins, and how that is told.
#include <jute/plan/choose/considered.hpp>
#include <jute/plan/derive/sum_order.hpp>
#include <jute/race/tune.hpp>

#include <optional>
#include <utility>

#include "base/format.hpp"

namespace jute {
namespace {

/// Medians of one kernel's races differ by less.
constexpr double kNoise = 0.01;

}  // namespace

std::vector<RankedChoice> ranked_choices(const Problem& problem, const DeviceInfo& device,
                                         const Config& config, const Catalogue& catalogue, int most,
                                         SumOrders orders) {
  std::vector<RankedChoice> list;
  std::optional<std::string> planned;
  for (Considered& candidate : considered(problem, device, config, catalogue)) {
    if (std::ssize(list) >= most) break;
    if (!candidate.refused.empty()) continue;
    if (orders == SumOrders::as_planned) {
      const std::string order = sum_order(make_plan(problem, device, candidate.config, catalogue));
      const bool is_first = !planned;
      if (is_first) planned = order;
      // Sums whose order nobody can tell are like no others.
      if (!is_first && (order.empty() || order != *planned)) continue;
    }
    list.push_back({static_cast<int>(list.size()) + 1, std::move(candidate.config)});
  }
  return list;
}

std::size_t fastest_of(std::span<const double> us) {
  std::size_t best = us.size();
  for (std::size_t i = 0; i < us.size(); ++i)
    if (us[i] > 0 && (best == us.size() || us[i] < us[best])) best = i;
  return us.front() > 0 && us[best] > us.front() * (1 - kNoise) ? 0 : best;
}

std::string race_text(const RankedChoice& winner, double us, double planned_us, int raced) {
  const std::string against =
      winner.rank == 1 ? "as planned"
      : planned_us > 0 ? base::format("{:.1f} % faster than planned", 100 * (planned_us / us - 1))
                       : "planned was not timed";
  return base::format("{:.2f} us, {}, the best of {}: {}", us, against, raced,
                      to_string(winner.config));
}

std::string to_string(const Tuned& tuned) {
  int raced = 0;
  for (const RacedChoice& one : tuned.raced) raced += one.us > 0 ? 1 : 0;
  return race_text(tuned.best().choice, tuned.best().us, tuned.raced.front().us, raced);
}

}  // namespace jute
