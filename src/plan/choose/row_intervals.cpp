// Shares out a range of M by what the models expect of a kernel that was planned for other rows.
#include "plan/choose/row_intervals.hpp"

#include <jute/plan/choose/considered.hpp>
#include <jute/plan/choose/m_range.hpp>
#include <jute/plan/values/line_chunks.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <tuple>
#include <utility>

#include "plan/choose/choices.hpp"
#include "plan/cost/fitted.hpp"
#include "plan/derive/block_of.hpp"
#include "plan/values/block_threads.hpp"

namespace jute::plan {
namespace {

/// From one M that is looked at to the next, at least; and how many are.
constexpr double kStepOfRows = 1 + 1.0 / 16;
constexpr std::size_t kMostStepsOfRows = 160;
/// So many times the best are the clocks of a kernel whose model counts in another way, or knows
/// nothing of such rows.
constexpr double kOtherModel = 2;

std::vector<Index> sampled_rows(const MRange& range) {
  const double first = static_cast<double>(std::max<Index>(range.first, 1));
  const double step = std::max(kStepOfRows, std::pow(static_cast<double>(range.last) / first,
                                                     1 / static_cast<double>(kMostStepsOfRows)));
  std::vector<Index> rows{range.first};
  while (rows.back() < range.last) {
    const auto next = static_cast<Index>(static_cast<double>(rows.back()) * step);
    rows.push_back(std::clamp(next, rows.back() + 1, range.last));
  }
  return rows;
}

/// Kernels whose clocks may be compared: with tiles in shared memory, whoever brings them, with
/// tensor cores or without, as dot products, out of lines.
using Model = std::tuple<bool, bool, bool, bool>;
Model model_of(const GemmStep& step) {
  return {is_straight(step), step.mma.atom().form == MmaForm::fma, step.schedule.lanes_of_k != 0,
          operand_of_line_ends(step).has_value()};
}

bool copies_operands(const Plan& plan) {
  return std::ranges::any_of(
      plan.steps, [](const Step& step) { return std::holds_alternative<MoveStep>(step); });
}

/// A kernel that is planned for some M that is looked at, and its clocks for each of them.
struct Rival {
  Config choices;
  Model model;
  MainLoop main_loop;
  int split_k;
  std::vector<double> clocks;
};

/// Rows that one rival serves, by their places among those that are looked at.
struct Interval {
  size_t from = 0, end = 0, rival = 0;
  double cost = std::numeric_limits<double>::infinity();
};

class RowContest {
 public:
  explicit RowContest(const Planning& planning)
      : planning_(planning), rows_(sampled_rows(*planning.problem.m_range)) {
    for (const Index m : rows_) {
      const Plan plan = one_plan(for_rows(planning.problem, m), planning.device, planning.config,
                                 planning.catalogue);
      Config chosen = choices(planning.config, gemm_step(plan), copies_operands(plan));
      const auto known = std::ranges::find(rivals_, chosen, &Rival::choices);
      best_.push_back(static_cast<size_t>(known - rivals_.begin()));
      if (known == rivals_.end())
        rivals_.push_back({std::move(chosen), model_of(gemm_step(plan)),
                           gemm_step(plan).schedule.main_loop, gemm_step(plan).schedule.split_k,
                           clocks_for(plan, rows_)});
    }
    share_out();
  }

  /// So many that serve all rows at the least cost.
  [[nodiscard]] std::vector<Interval> intervals(size_t kernels) const {
    std::vector<Interval> result(kernels);
    size_t end = rows_.size();
    for (size_t i = kernels; i > 0; --i) {
      result[i - 1] = last_[i][end];
      end = result[i - 1].from;
    }
    return result;
  }
  /// The greatest number of an M's own clocks that one of them takes.
  [[nodiscard]] double worst(const std::vector<Interval>& intervals) const {
    double most = 1;
    for (const Interval& one : intervals)
      for (size_t place = one.from; place < one.end; ++place)
        most = std::max(most, ratio(one.rival, place));
    return most;
  }
  [[nodiscard]] size_t most_kernels() const { return last_.size() - 1; }

  [[nodiscard]] Plan plan(const Interval& interval) const {
    const Problem problem = for_rows(planning_.problem, rows_[interval.end - 1]);
    const Config& chosen = rivals_[interval.rival].choices;
    Planned same = planned(problem, planning_.device, chosen, planning_.catalogue);
    if (auto* plan = std::get_if<Plan>(&same)) return std::move(*plan);
    // What suits fewer rows is not always legal for more.
    return one_plan(problem, planning_.device, planning_.config, planning_.catalogue);
  }

 private:
  [[nodiscard]] double ratio(size_t rival, size_t place) const {
    const Rival &one = rivals_[rival], &best = rivals_[best_[place]];
    if (&one == &best) return 1;
    if (one.model != best.model || one.clocks.empty() || best.clocks.empty()) return kOtherModel;
    // Models know slices of few tiles.
    if (one.split_k > 1 && best.split_k == 1) return kOtherModel;
    const double unsure = one.main_loop != best.main_loop ? fitted::kOtherMainLoop : 1;
    return std::clamp(unsure * one.clocks[place] / best.clocks[place], 1.0, kOtherModel);
  }

  /// The part of the range that an M stands for: half of it as one of those that are looked at,
  /// half as a number of rows.
  [[nodiscard]] double weight(size_t place) const {
    const double before = place > 0 ? static_cast<double>(rows_[place - 1]) : 0;
    return 1 / static_cast<double>(rows_.size()) +
           (static_cast<double>(rows_[place]) - before) / static_cast<double>(rows_.back() + 1);
  }

  /// For each number of kernels and of the first rows the last interval of those that cost least:
  /// of what each M loses the square, so that nobody loses much.
  void share_out() {
    const size_t count = rows_.size(),
                 most = std::min(count, static_cast<size_t>(planning_.limits.kernels));
    last_.assign(most + 1, std::vector<Interval>(count + 1));
    last_[0][0].cost = 0;
    std::vector<double> costs;  // of each rival, from one place on
    for (size_t from = 0; from < count; ++from) {
      costs.assign(rivals_.size(), 0);
      for (size_t end = from + 1; end <= count; ++end) {
        for (size_t rival = 0; rival < rivals_.size(); ++rival) {
          const double lost = ratio(rival, end - 1) - 1;
          costs[rival] += weight(end - 1) * lost * lost;
        }
        const auto cheapest = std::ranges::min_element(costs);
        for (size_t kernels = 1; kernels <= most; ++kernels) {
          const double cost = last_[kernels - 1][from].cost + *cheapest;
          Interval& last = last_[kernels][end];
          if (cost < last.cost)
            last = {from, end, static_cast<size_t>(cheapest - costs.begin()), cost};
        }
      }
    }
  }

  const Planning& planning_;
  std::vector<Index> rows_;
  std::vector<Rival> rivals_;
  std::vector<size_t> best_;  ///< of the rivals, for each M
  std::vector<std::vector<Interval>> last_;
};

}  // namespace

std::vector<double> clocks_for(Plan plan, const std::vector<Index>& rows) {
  std::vector<double> clocks;
  for (const Index m : rows) {
    plan.problem.m = m;
    for (Step& step : plan.steps)
      if (auto* gemm = std::get_if<GemmStep>(&step)) set_rows(*gemm, m, plan.device);
    const std::optional<Prediction> prediction = prediction_of(plan);
    if (!prediction) return {};
    clocks.push_back(prediction->clocks);
  }
  return clocks;
}

std::vector<Plan> plans_of_intervals(const Planning& planning) {
  const RowContest contest(planning);
  std::vector<Interval> intervals;
  for (size_t kernels = 1; kernels <= contest.most_kernels(); ++kernels) {
    intervals = contest.intervals(kernels);
    if (contest.worst(intervals) <= 1 + planning.limits.loss) break;
  }
  std::vector<Plan> plans;
  for (const Interval& interval : intervals) plans.push_back(contest.plan(interval));
  return plans;
}

}  // namespace jute::plan
