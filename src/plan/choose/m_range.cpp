// Chooses few kernels for many M, from the cost model alone.
#include <jute/base/checked.hpp>
#include <jute/plan/choose/m_range.hpp>
#include <jute/plan/values/planned_values.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include <jute/plan/choose/width_choices.hpp>
#include "base/format.hpp"
#include "base/own_stack.hpp"
#include "plan/ask/wish_rules.hpp"
#include "plan/choose/derived.hpp"
#include "plan/choose/planning.hpp"
#include "plan/choose/ranked/priced.hpp"
#include "plan/choose/ranked/ranked_tiles.hpp"
#include "plan/choose/ranked/tile_schedule.hpp"
#include "plan/choose/ranked/width_costs.hpp"
#include "plan/choose/row_intervals.hpp"
#include "plan/choose/step_cost.hpp"
#include "plan/shapes/tile_widths.hpp"

namespace jute {
namespace plan {
namespace {

/// Between two values of M that are looked at the best kernel's clocks differ by less than this, or
/// none lies between.
constexpr double kStep = 0.01 / 2;
constexpr double kWiden = 1 + 1.0 / 4;  // and one is no more than this times the other
/// Of the best kernels for one M, those that are worth a look for others too.
constexpr size_t kGoodForOne = 6;

/// The kernel's problem with other rows.
KernelProblem with_planned_rows(KernelProblem kernel, Index m) {
  (kernel.transposed ? kernel.n : kernel.m).value = m;
  return kernel;
}

/// A kernel that may be chosen, and its clocks for each M that is looked at.
struct Contender {
  Tile tile;
  std::vector<WidthCost> costs;  ///< of each width, or of the only one
  std::vector<double> clocks = {};

  [[nodiscard]] double at(Index m, Index batch) const { return best_width(costs, m, batch).clocks; }
};

/// The values of M that decide, the best that a kernel of its own would do for each, and who may
/// be chosen.
class Contest {
 public:
  Contest(const KernelProblem& kernel, const Planning& planning)
      : kernel_(kernel), planning_(planning) {
    const auto& [first, last] = *planning.problem.m_range;
    const double at_first = look_at(first);
    if (last > first) {
      const double at_last = best_at(last);
      refine({first, at_first}, {last, at_last});
      keep(last, at_last);
    }
    weigh();
    add_widths();
    for (Contender& contender : contenders_)
      for (const Index m : rows_) contender.clocks.push_back(contender.at(m, kernel.batch.value));
  }

  [[nodiscard]] const std::vector<Index>& rows() const { return rows_; }
  [[nodiscard]] const std::vector<Contender>& contenders() const { return contenders_; }
  template <class IsLegal>
  void keep_those(const IsLegal& is_legal) {
    std::erase_if(contenders_, [&](const Contender& one) { return !is_legal(one); });
  }
  [[nodiscard]] double most_loss() const { return planning_.limits.loss; }
  /// How much the n-th M counts: the part of the range that it stands for, half of it as a number
  /// of rows and half in octaves.
  [[nodiscard]] double weight(size_t n) const { return weights_[n]; }
  /// Clocks of the contender for the n-th M, as a multiple of the best.
  [[nodiscard]] double ratio(size_t contender, size_t n) const {
    return contenders_[contender].clocks[n] / best_[n];
  }

 private:
  struct Sample {
    Index m;
    double clocks;
  };

  /// Tiles whose columns a launch gives along M; of a kernel that the caller leaves open.
  void add_widths() {
    Config open = planning_.config;
    if (!open.widths.value_or(true)) return;
    open.widths.reset();
    if (open.swapped.value_or(true)) open.swapped.reset();
    open.reduction.reset(), open.pad.reset(), open.transpose.reset(), open.k_starts.reset();
    open.launches.reset();
    const KernelProblem swapped = transposed(kernel_);
    if (open == Config())
      for (const Tile& tile : tiles_of_run_time_width(swapped))
        contenders_.push_back({tile, costs_of_tile(tile, swapped, planning_.device)});
  }
  void weigh() {
    const auto part = [&](const auto& place) {
      const double all = place(rows_.back() + 1) - place(rows_.front());
      for (size_t i = 0; i < rows_.size(); ++i) {
        const Index end = i + 1 < rows_.size() ? rows_[i + 1] : rows_.back() + 1;
        weights_[i] += (place(end) - place(rows_[i])) / all;
      }
    };
    weights_.assign(rows_.size(), 0);
    part([](Index m) { return static_cast<double>(m); });
    part([](Index m) { return std::log(static_cast<double>(m + 1)); });
  }
  void keep(Index m, double clocks) {
    rows_.push_back(m);
    best_.push_back(clocks);
  }
  double look_at(Index m) {
    const double clocks = best_at(m);
    keep(m, clocks);
    return clocks;
  }

  /// The best clocks for this M; whoever comes near them joins the contenders.
  double best_at(Index m) {
    const KernelProblem kernel = with_planned_rows(kernel_, m);
    double best = std::numeric_limits<double>::infinity();
    for (RankedTile& ranked :
         ranked_tiles(kernel, planning_.device, kGoodForOne, planning_.config)) {
      Tile& tile = ranked.tile;
      const KernelProblem seen = tile.swapped ? transposed(kernel) : kernel;
      tile.m_at_run_time = true;
      if (planning_.config.split_k) tile.split_k = *planning_.config.split_k;
      if (planning_.config.cluster) tile.cluster = *planning_.config.cluster;
      const KernelCost cost = tile_cost(tile, seen, planning_.device);
      best = std::min(best, cost.at(m, kernel.batch.value).clocks);
      if (std::ranges::none_of(contenders_, [&](const Contender& contender) {
            return is_same_kernel(contender.tile, tile);
          }))
        contenders_.push_back({tile, {{0, cost}}});
    }
    return best;
  }

  /// Looks at what lies between two values of M until nothing there can be new.
  void refine(const Sample& low, const Sample& high) {
    const bool is_level =
        std::max(low.clocks, high.clocks) <= std::min(low.clocks, high.clocks) * (1 + kStep) &&
        static_cast<double>(high.m) <= kWiden * static_cast<double>(low.m);
    if (is_level || high.m - low.m <= 1) return;
    const Index middle = low.m + (high.m - low.m) / 2;
    const Sample between{middle, best_at(middle)};
    refine(low, between);
    keep(between.m, between.clocks);
    refine(between, high);
  }

  const KernelProblem& kernel_;
  const Planning& planning_;
  std::vector<Index> rows_;
  std::vector<double> best_, weights_;
  std::vector<Contender> contenders_;
};

/// A choice of contenders, and for each M what the best of them loses.
class Team {
 public:
  explicit Team(const Contest& contest)
      : contest_(&contest),
        ratios_(contest.rows().size(), std::numeric_limits<double>::infinity()) {}

  [[nodiscard]] const std::vector<size_t>& members() const { return members_; }
  /// What is lost beyond the limit, most of all by those M that lose most: 0 where nothing is.
  [[nodiscard]] double excess() const { return excess_; }

  void add(size_t contender) {
    excess_ = excess_with(contender);
    members_.push_back(contender);
    for (size_t i = 0; i < ratios_.size(); ++i)
      ratios_[i] = std::min(ratios_[i], contest_->ratio(contender, i));
  }
  [[nodiscard]] double excess_with(size_t contender) const {
    const double limit = (1 + contest_->most_loss()) / (1 + kStep);
    double sum = 0;
    for (size_t i = 0; i < ratios_.size(); ++i) {
      const double beyond =
          std::max(0.0, std::min(ratios_[i], contest_->ratio(contender, i)) - limit);
      sum += contest_->weight(i) * beyond;
    }
    return sum;
  }
  /// The contender with whom least is lost.
  [[nodiscard]] std::pair<size_t, double> most_useful() const {
    std::pair best(size_t{0}, std::numeric_limits<double>::infinity());
    for (size_t contender = 0; contender < contest_->contenders().size(); ++contender)
      if (const double sum = excess_with(contender); sum < best.second) best = {contender, sum};
    return best;
  }
  /// The same but for one member.
  [[nodiscard]] Team without(size_t member) const {
    Team team(*contest_);
    for (size_t i = 0; i < members_.size(); ++i)
      if (i != member) team.add(members_[i]);
    return team;
  }

 private:
  const Contest* contest_;
  std::vector<size_t> members_;
  std::vector<double> ratios_;
  double excess_ = std::numeric_limits<double>::infinity();
};

/// Exchanges the member whose place another fills best, until none does.
Team with_better_members(Team team) {
  for (bool improves = true; improves && team.excess() > 0;) {
    improves = false;
    for (size_t member = 0; member < team.members().size(); ++member) {
      Team rest = team.without(member);
      const auto [other, excess] = rest.most_useful();
      if (excess >= team.excess()) continue;
      rest.add(other);
      team = std::move(rest);
      improves = true;
    }
  }
  return team;
}

std::vector<size_t> smallest_team(const Contest& contest, size_t most) {
  Team team(contest);
  while (team.excess() > 0 && team.members().size() < most) {
    team.add(team.most_useful().first);
    team = with_better_members(std::move(team));
  }
  return team.members();
}

/// The greatest M for which each of them is the best, -1 for those that never are: of wide ranges
/// among so many that are looked at.
std::vector<Index> greatest_rows(const Contest& contest, const std::vector<size_t>& team,
                                 const Problem& problem) {
  constexpr Index kMostLooks = 1 << 14;
  std::vector<Index> greatest(team.size(), -1);
  const auto& [first, last] = *problem.m_range;
  const Index step = ceil_div(std::max<Index>(last - first, 1), kMostLooks);
  for (Index m = last; m >= first && std::ranges::count(greatest, -1) > 0; m -= step) {
    const auto best = std::ranges::min_element(team, {}, [&](size_t contender) {
      return contest.contenders()[contender].at(m, problem.batch);
    });
    Index& found = greatest[static_cast<size_t>(best - team.begin())];
    found = std::max(found, m);
  }
  return greatest;
}

/// The plan of a contender for so many rows; nothing if it breaks a rule.
std::optional<Plan> plan_of(const Contender& contender, Index m, const Planning& planning) {
  const Problem problem = for_rows(planning.problem, m);
  const Options own =
      fastest({problem, planning.device, planning.config, planning.catalogue}).options;
  Tile tile = contender.tile;
  tile.release = release_for(contender.costs.back().cost.at(m, problem.batch));
  const Planning one{problem, planning.device, planning.config, planning.catalogue};
  for (const Candidate& candidate :
       candidates_for(tile, own.kernel, one.device, one.config, one.catalogue)) {
    Derived step = derived(one, own, candidate);
    auto* const gemm = std::get_if<GemmStep>(&step);
    if (gemm == nullptr) continue;
    Planned plan = whole_plan(one, own, std::move(*gemm));
    if (auto* made = std::get_if<Plan>(&plan)) return std::move(*made);
  }
  return std::nullopt;
}

std::vector<Plan> plans_of(Contest& contest, const Planning& planning, size_t most) {
  while (!contest.contenders().empty()) {
    const std::vector<size_t> team = smallest_team(contest, most);
    const std::vector<Index> greatest = greatest_rows(contest, team, planning.problem);
    std::vector<Plan> plans;
    std::optional<Index> refused;  // the rows for which a member's plan breaks a rule
    for (size_t i = 0; i < team.size() && !refused; ++i) {
      if (greatest[i] < 0) continue;
      auto plan = plan_of(contest.contenders()[team[i]], greatest[i], planning);
      if (plan)
        plans.push_back(*std::move(plan));
      else
        refused = greatest[i];
    }
    if (!refused) {
      std::ranges::stable_sort(plans, {}, [](const Plan& plan) { return plan.problem.m; });
      return plans;
    }
    // What it breaks is mostly a wish, which others break as well.
    contest.keep_those(
        [&](const Contender& one) { return plan_of(one, *refused, planning).has_value(); });
  }
  return {};
}

/// A kernel that reads B once, where the range begins with the few rows that such are for.
std::optional<Plan> streaming_of_first(const Planning& planning) {
  const Problem first = for_rows(planning.problem, planning.problem.m_range->first);
  Plan plan = one_plan(first, planning.device, planning.config, planning.catalogue);
  if (!streamed_cost(gemm_step(plan), plan.device)) return std::nullopt;
  return plan;
}

void check_limits(const RangeLimits& limits) {
  if (limits.kernels < 1 || !(limits.loss >= 0))
    refuse({broken("limits of a range", base::format("{}, {}", limits.kernels, limits.loss),
                   "a range of M needs a kernel at least, and may lose 0 of the time or more",
                   base::format("{}, {}", kMostKernelsOfRange, kLossOfRange))});
}

/// Does the choice of a kernel depend on M, as far as the caller leaves it open?
bool depends_on_m(const Options& options, const Config& config) {
  const Candidate& first = options.candidates.front().candidate;
  return is_wgmma(first.atom.form) && is_ranked(config);
}

}  // namespace
}  // namespace plan

namespace {

std::vector<Plan> planned_for_range(const Problem& problem, const DeviceInfo& device,
                                    const Config& config, const Catalogue& catalogue,
                                    const RangeLimits& limits) {
  const Problem whole = completed(problem);
  plan::check_limits(limits);
  if (!whole.m_range) return {plan::one_plan(whole, device, config, catalogue)};
  if (config.specialize == Specialize::all)
    plan::refuse(
        {plan::broken("specialize", "all", "a range of M needs kernels that hold no M", "usual")});
  if (config.reduction == SplitK::all_add)
    plan::refuse(
        {plan::broken("reduction", "all_add",
                      "a range of M needs kernels whose grid may be of any size", "last_adds")});
  const Problem last = for_rows(whole, whole.m_range->last);
  const plan::Found found = plan::fastest({last, device, config, catalogue});
  const plan::Options& options = found.options;
  if (options.candidates.empty()) plan::refuse(std::get<plan::Errors>(found.step));
  // Few rows of them want other kernels than many, which models of two kinds know.
  const auto are_weights = [&] {
    return last.staged && plan::may_read_stored(plan::one_plan(last, device, config, catalogue));
  };
  if (plan::depends_on_m(options, config) && !are_weights()) {
    // All kernels read the same copies.
    Config same = config;
    same.reduction = config.reduction.value_or(SplitK::last_adds);
    if (options.moves) {
      same.pad = true;
      same.transpose = plan::transposes(options);
    }
    const plan::Planning planning{whole, device, same, catalogue, limits};
    plan::Contest contest(options.kernel, planning);
    std::optional<Plan> dots;
    if (limits.kernels > 1) dots = plan::streaming_of_first({whole, device, config, catalogue});
    const auto most = static_cast<size_t>(limits.kernels - (dots ? 1 : 0));
    std::vector<Plan> plans = plan::plans_of(contest, planning, most);
    if (dots && !plans.empty()) plans.insert(plans.begin(), *std::move(dots));
    if (!plans.empty()) return plans;
  }
  if (plan::is_ranked(config))
    return plan::plans_of_intervals({whole, device, config, catalogue, limits});
  return {plan::one_plan(last, device, config, catalogue)};
}

}  // namespace

std::vector<Plan> make_plans(const Problem& problem, const DeviceInfo& device, const Config& config,
                             const Catalogue& catalogue, const RangeLimits& limits) {
  return base::with_enough_stack(
      [&] { return planned_for_range(problem, device, config, catalogue, limits); });
}

std::optional<size_t> place_by_rows(std::span<const Plan> plans, Index m) {
  if (is_wgmma(gemm_step(plans.back()).mma.atom().form) && !plan::may_read_stored(plans.back()))
    return std::nullopt;
  const auto place =
      std::ranges::find_if(plans, [&](const Plan& plan) { return m <= plan.problem.m; });
  return std::min<size_t>(place - plans.begin(), plans.size() - 1);
}

const Plan& plan_for_m(std::span<const Plan> plans, Index m) {
  if (const std::optional<size_t> place = place_by_rows(plans, m)) return plans[*place];
  const auto clocks = [&](const Plan& plan) {
    return best_width(width_costs(plan), m, plan.problem.batch).clocks;
  };
  return *std::ranges::min_element(plans, {}, clocks);
}

}  // namespace jute
