// Shares out a range of M: kernels that are good for some of it, with what each takes for all.
#include "plan/choose/row_search.hpp"

#include <jute/base/checked.hpp>
#include <jute/plan/choose/m_range.hpp>
#include <jute/plan/choose/width_choices.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <tuple>
#include <utility>

#include "plan/choose/derived.hpp"
#include "plan/choose/families/block_of.hpp"
#include "plan/choose/families/families.hpp"
#include "plan/choose/families/tile_schedule.hpp"
#include "plan/choose/families/warpgroup_search.hpp"
#include "plan/choose/families/width_costs.hpp"
#include "plan/choose/ways/ways.hpp"
#include "plan/derive/moves.hpp"
#include "plan/shapes/tile_widths.hpp"

namespace jute::plan {
namespace {

/// Between two values of M that are looked at the best kernel's clocks differ by less than this, or
/// none lies between that is so much more than the lesser: further apart where one kernel is the
/// best for both.
constexpr double kStep = 0.01 / 2;
constexpr double kWiden = 1 + 1.0 / 4, kSameKernel = 1 + 1.0 / 16, kNear = 1 + 1.0 / 64;
/// So many of the best kernels for one M are worth a look for others too.
constexpr size_t kGoodForOne = 6;
constexpr double kWorthALook = 1 + 1.0 / 4;

/// A problem as a way presents it, for any rows.
struct View {
  const Way* way;
  size_t place;
  KernelProblem kernel;
  MovedBytes moved{};

  void set_rows(Index m) { (kernel.transposed ? kernel.n : kernel.m).value = m; }
};

/// A kernel that may be chosen, and its clocks for each M that is looked at.
struct Rival {
  size_t view;
  Candidate candidate;
  Index planned;                   ///< M that it was found for
  std::vector<WidthCost> costs{};  ///< of each width that a launch may give, or of the only one
  std::vector<double> clocks{};

  [[nodiscard]] double at(Index m, Index batch) const { return best_width(costs, m, batch).clocks; }
};

bool is_same(const Candidate& one, const Candidate& other) {
  if (one.family != other.family || one.atom.name != other.atom.name) return false;
  if (one.family == Family::warpgroups) return is_same_kernel(one.tile, other.tile);
  Tile tile = one.tile;
  tile.release = other.tile.release;
  return tile == other.tile;
}

class RowSearch {
 public:
  explicit RowSearch(const Planning& planning)
      : planning_(planning), open_(for_groups(planning.config, planning.problem)) {
    const auto& [first, last] = *planning.problem.m_range;
    refine(look_at(first), look_at(last));
    rows_.push_back(last);
    rows_.erase(std::unique(rows_.begin(), rows_.end()), rows_.end());
    add_widths();
    weigh();
    price();
  }

  [[nodiscard]] CoveredProblem covered() {
    while (!rivals_.empty()) {
      const Team team = fewest();
      if (std::optional<std::vector<Plan>> plans = plans_of(team))
        return {planning_.problem, *std::move(plans), worst(team)};
    }
    return {planning_.problem,
            {one_plan(for_rows(planning_.problem, rows_.back()), planning_.device, planning_.config,
                      planning_.catalogue)},
            {}};
  }

 private:
  /// Rivals, and the greatest M that each is the best of them for, in the order of those.
  using Team = std::vector<std::pair<size_t, Index>>;
  struct Sample {
    Index m;
    double clocks;
    size_t rival;  ///< the best
  };

  [[nodiscard]] Planning for_m(const Problem& problem) const {
    return {problem, planning_.device, open_, planning_.catalogue};
  }

  /// The best clocks for this M; whoever comes near them joins the rivals.
  Sample look_at(Index m) {
    const Problem problem = for_rows(planning_.problem, m);
    std::vector<Presented> all = presented(for_m(problem), kGoodForOne);
    Sample best{m, kNoLimit, 0};
    for (const Presented& one : all)
      if (!one.options.candidates.empty())
        best.clocks = std::min(best.clocks, one.options.candidates.front().clocks + one.moves);
    for (Presented& one : all)
      for (auto& [clocks, candidate] : one.options.candidates)
        if (const double whole = clocks + one.moves; whole <= kWorthALook * best.clocks) {
          const size_t rival = add(one, candidate, m);
          if (whole == best.clocks) best.rival = rival;
        }
    return best;
  }

  /// Gives its place among the rivals.
  size_t add(const Presented& one, Candidate& candidate, Index m) {
    const auto is_view = [&](const View& view) {
      return view.way == one.way && view.place == one.place;
    };
    const auto view = static_cast<size_t>(std::ranges::find_if(views_, is_view) - views_.begin());
    if (view == views_.size()) {
      views_.push_back({one.way, one.place, one.options.kernel});
      if (one.options.moves) add_moves(views_.back().moved, *one.options.moves, planning_.problem);
    }
    if (candidate.family == Family::warpgroups) {
      candidate.tile.m_at_run_time = true;
      if (open_.split_k) candidate.tile.split_k = *open_.split_k;
      if (open_.cluster) candidate.tile.cluster = *open_.cluster;
    }
    const auto is_known = [&](const Rival& rival) {
      return rival.view == view && is_same(rival.candidate, candidate);
    };
    const auto known = std::ranges::find_if(rivals_, is_known);
    const auto place = static_cast<size_t>(known - rivals_.begin());
    if (place == rivals_.size()) rivals_.push_back({view, candidate, m});
    return place;
  }

  /// Looks at what lies between two values of M until nothing there can be new.
  void refine(const Sample& low, const Sample& high) {
    const auto wide = [&](double times) {
      return static_cast<double>(high.m) > times * static_cast<double>(low.m);
    };
    const bool is_level =
        std::max(low.clocks, high.clocks) <= std::min(low.clocks, high.clocks) * (1 + kStep);
    rows_.push_back(low.m);
    const double near = low.rival == high.rival ? kSameKernel : kNear;
    if (high.m - low.m <= 1 || !wide(is_level ? kWiden : near)) return;
    rows_.pop_back();
    const Sample between = look_at(low.m + (high.m - low.m) / 2);
    refine(low, between);
    refine(between, high);
  }

  /// Tiles whose columns a launch gives along M; of a kernel that the caller leaves open.
  void add_widths() {
    Config open = open_;
    if (!open.widths.value_or(true) || planning_.problem.gate) return;
    open.widths.reset();
    if (open.swapped.value_or(true)) open.swapped.reset();
    open.reduction.reset(), open.pad.reset(), open.transpose.reset(), open.k_starts.reset();
    open.launches.reset();
    if (!(open == Config())) return;
    for (size_t view = 0; view < views_.size(); ++view) {
      const auto by_warpgroups = [&](const Rival& rival) {
        return rival.view == view && rival.candidate.family == Family::warpgroups;
      };
      if (std::ranges::none_of(rivals_, by_warpgroups)) continue;
      views_[view].set_rows(rows_.back());
      const KernelProblem swapped = transposed(views_[view].kernel);
      for (const Tile& tile : tiles_of_run_time_width(swapped))
        for (Candidate& one : candidates_of_warpgroups(
                 {views_[view].kernel, planning_.device, open_, planning_.catalogue}, tile))
          rivals_.push_back(
              {view, std::move(one), rows_.back(), costs_of_tile(tile, swapped, planning_.device)});
    }
  }

  /// The part of the range that an M stands for, half of it as a number of rows and half in
  /// octaves.
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

  void price() {
    for (Rival& rival : rivals_) {
      View& view = views_[rival.view];
      if (planning_.problem.gate) {  // whose tiles are halves
        if (const std::optional<Plan> plan = plan_of(rival, rival.planned))
          rival.costs = width_costs(*plan);
      } else if (rival.costs.empty()) {
        view.set_rows(rival.planned);
        rival.costs = {{0, cost_of(rival.candidate, view.kernel, planning_.device)}};
      }
      for (WidthCost& width : rival.costs) width.cost.moved = view.moved;
    }
    std::erase_if(rivals_, [](const Rival& one) { return one.costs.empty(); });
    for (Rival& rival : rivals_)
      for (const Index m : rows_) rival.clocks.push_back(rival.at(m, planning_.problem.batch));
    find_best();
  }

  void find_best() {
    best_.assign(rows_.size(), kNoLimit);
    for (const Rival& rival : rivals_)
      for (size_t i = 0; i < rows_.size(); ++i) best_[i] = std::min(best_[i], rival.clocks[i]);
  }

  [[nodiscard]] double ratio(size_t rival, size_t place) const {
    return rivals_[rival].clocks[place] / best_[place];
  }

  /// The time of each M with the best of some rivals, as a multiple of what it takes at best.
  using Ratios = std::vector<double>;
  [[nodiscard]] Ratios ratios_of(const Team& team) const {
    Ratios ratios(rows_.size(), kNoLimit);
    for (const auto& [rival, m] : team)
      for (size_t i = 0; i < ratios.size(); ++i) ratios[i] = std::min(ratios[i], ratio(rival, i));
    return ratios;
  }

  /// The rival with whom least is lost beyond the limit, and that, most of all by those M that lose
  /// most: 0 where nothing is.
  [[nodiscard]] std::pair<double, size_t> most_useful(const Ratios& ratios) const {
    const double limit = (1 + planning_.limits.loss) / (1 + kStep);
    std::pair best(kNoLimit, size_t{0});
    for (size_t rival = 0; rival < rivals_.size(); ++rival) {
      double lost = 0;
      for (size_t i = 0; i < ratios.size() && lost < best.first; ++i)
        lost += weights_[i] * std::max(0.0, std::min(ratios[i], ratio(rival, i)) - limit);
      if (lost < best.first) best = {lost, rival};
    }
    return best;
  }

  /// The fewest with whom nothing is lost beyond the limit, or as many as there may be: one after
  /// the other, of whom each gives its place to whoever fills it better.
  [[nodiscard]] Team fewest() const {
    Team team;
    double lost = kNoLimit;
    while (lost > 0 && team.size() < static_cast<size_t>(planning_.limits.kernels)) {
      team.emplace_back(0, -1);
      std::tie(lost, team.back().first) = most_useful(ratios_of({team.begin(), team.end() - 1}));
      for (size_t kept = 0, place = 0; lost > 0 && kept < team.size();
           ++kept, place = (place + 1) % team.size()) {
        Team rest = team;
        rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(place));
        const auto [less, rival] = most_useful(ratios_of(rest));
        if (less >= lost) continue;
        std::tie(lost, team[place].first, kept) = std::tuple(less, rival, 0);
      }
    }
    return with_rows(std::move(team));
  }
  /// The M that loses most where each has the best of them.
  [[nodiscard]] ExpectedLoss worst(const Team& team) const {
    const Ratios ratios = ratios_of(team);
    const auto most = std::ranges::max_element(ratios);
    return {std::max(*most - 1, 0.0), rows_[static_cast<size_t>(most - ratios.begin())]};
  }

  /// Each of them once: of wide ranges among so many rows that are looked at.
  [[nodiscard]] Team with_rows(Team team) const {
    constexpr Index kMostLooks = 1 << 14;
    std::ranges::sort(team);
    team.erase(std::unique(team.begin(), team.end()), team.end());
    const auto& [first, last] = *planning_.problem.m_range;
    const Index step = ceil_div(std::max<Index>(last - first, 1), kMostLooks);
    const auto is_open = [](const auto& one) { return one.second < 0; };
    for (Index m = last; m >= first && std::ranges::any_of(team, is_open); m -= step) {
      auto& best = *std::ranges::min_element(team, {}, [&](const auto& one) {
        return rivals_[one.first].at(m, planning_.problem.batch);
      });
      best.second = std::max(best.second, m);
    }
    std::erase_if(team, is_open);
    std::ranges::sort(team, {}, &std::pair<size_t, Index>::second);
    return team;
  }

  /// The plan of a rival for so many rows; nothing if it breaks a rule.
  [[nodiscard]] std::optional<Plan> plan_of(const Rival& rival, Index m) const {
    const Problem problem = for_rows(planning_.problem, m);
    const Planning one = for_m(problem);
    const View& view = views_[rival.view];
    std::vector<Presentation> all = view.way->read({problem, planning_.device, open_});
    if (view.place >= all.size()) return std::nullopt;
    Presentation& own = all[view.place];
    const Options options{std::move(own.kernel), std::move(own.ahead), {}};
    Candidate candidate = rival.candidate;
    if (candidate.family == Family::warpgroups && !rival.costs.empty())
      candidate.tile.release = release_for(rival.costs.back().cost.at(m, problem.batch));
    Derived step = derived(one, options, candidate);
    auto* const gemm = std::get_if<GemmStep>(&step);
    if (gemm == nullptr || (view.way->holds != nullptr && !view.way->holds(*gemm, options.kernel)))
      return std::nullopt;
    Planned plan = whole_plan(one, options, std::move(*gemm));
    auto* const made = std::get_if<Plan>(&plan);
    return made != nullptr ? std::optional(std::move(*made)) : std::nullopt;
  }

  /// A rule that a rival breaks is mostly a wish, which others of its family break as well.
  [[nodiscard]] std::optional<std::vector<Plan>> plans_of(const Team& chosen) {
    std::vector<Plan> plans;
    for (const auto& [rival, m] : chosen)
      if (std::optional<Plan> plan = plan_of(rivals_[rival], m)) {
        plans.push_back(*std::move(plan));
      } else {
        const Family family = rivals_[rival].candidate.family;
        std::erase_if(rivals_, [family, this, rows = m](const Rival& one) {
          return one.candidate.family == family && !plan_of(one, rows);
        });
        find_best();
        return std::nullopt;
      }
    return plans;
  }

  const Planning& planning_;
  const Config open_;
  std::vector<Index> rows_;
  std::vector<double> weights_, best_;
  std::vector<View> views_;
  std::vector<Rival> rivals_;
};

}  // namespace

CoveredProblem plans_of_rows(const Planning& planning) { return RowSearch(planning).covered(); }

}  // namespace jute::plan
