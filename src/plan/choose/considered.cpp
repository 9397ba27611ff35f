// The candidates of a problem with what the model expects of each.
#include <jute/plan/choose/considered.hpp>

#include <algorithm>
#include <utility>

#include "base/own_stack.hpp"
#include "plan/ask/groups.hpp"
#include "plan/choose/choices.hpp"
#include "plan/choose/derived.hpp"
#include "plan/choose/families/asked.hpp"
#include "plan/choose/planning.hpp"
#include "plan/choose/step_cost.hpp"
#include "plan/cost/moves.hpp"
#include "plan/derive/block_of.hpp"
#include "plan/derive/moves.hpp"
#include "plan/values/candidates.hpp"

namespace jute {
namespace {

/// With what it takes to copy operands first: where warpgroups multiply groups, of a usual one.
Prediction with_moves(const Prediction& prediction, const GemmStep& step, const MoveStep& moves,
                      const Problem& problem) {
  MovedBytes copied;
  plan::add_moves(copied, moves, problem);
  const Index rows = plan::is_of_warpgroups(step) ? plan::usual_group(problem).m : problem.m;
  return plan::with_moves(prediction, copied, rows, problem.batch);
}

/// Sets the clocks that planning compares: of a candidate no less than was expected of its tile,
/// and of groups of several sizes what it takes over all of them.
void set_compared(Prediction& prediction, double clocks, const Problem& problem) {
  if (!problem.groups) clocks = std::max(clocks, prediction.clocks);
  prediction.least += clocks - prediction.clocks;
  prediction.clocks = clocks;
}

std::vector<Considered> all_considered(const Problem& problem, const DeviceInfo& device,
                                       const Config& config, const Catalogue& catalogue) {
  Problem whole = completed(problem);
  whole.m_range.reset();
  const Config open = plan::for_groups(config, whole);
  const plan::Planning planning{whole, device, open, catalogue};
  const plan::Options options = plan::options_for(planning);
  const bool has_views = whole.a.view || whole.b.view || whole.c.view || whole.d.view;
  std::vector<Considered> list;
  for (const auto& [clocks, candidate] : options.candidates) {
    Considered one{.text = to_string(candidate), .idea = plan::idea_of(candidate)};
    const plan::Derived derived = plan::derived(planning, options, candidate);
    if (const auto* step = std::get_if<GemmStep>(&derived)) {
      one.config =
          options.moves || plan::needs_copies(options.kernel) || has_views
              ? plan::choices(config, *step,
                              has_views ? plan::packs_views(options) : options.moves.has_value())
              : plan::choices(config, *step);
      one.prediction = plan::predicted(*step, whole, device);
      if (one.prediction) set_compared(*one.prediction, clocks, whole);
      if (one.prediction && options.moves)
        one.prediction = with_moves(*one.prediction, *step, *options.moves, whole);
    } else {
      one.refused = std::get<plan::Errors>(derived).front().violated_rules.front();
    }
    list.push_back(std::move(one));
  }
  const auto clocks_of = [](const Considered& one) {
    return compared_clocks(one).value_or(plan::kNoLimit);
  };
  double chosen = plan::kNoLimit;
  for (const Considered& one : list)
    if (one.refused.empty() && plan::worth_of_another(config) * clocks_of(one) < chosen)
      chosen = clocks_of(one);
  std::erase_if(list, [&](const Considered& one) { return clocks_of(one) < chosen; });
  std::ranges::stable_sort(list, {}, clocks_of);
  return list;
}

}  // namespace

std::vector<Considered> considered(const Problem& problem, const DeviceInfo& device,
                                   const Config& config, const Catalogue& catalogue) {
  return base::with_enough_stack(
      [&] { return all_considered(problem, device, config, catalogue); });
}

std::optional<Prediction> prediction_of(const Plan& plan) {
  std::optional<Prediction> prediction =
      plan::predicted(gemm_step(plan), plan.problem, plan.device);
  for (const Step& step : plan.steps)
    if (const auto* moves = std::get_if<MoveStep>(&step); moves != nullptr && prediction)
      prediction = with_moves(*prediction, gemm_step(plan), *moves, plan.problem);
  return prediction;
}

}  // namespace jute
