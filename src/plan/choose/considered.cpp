// The candidates of a problem with what the model expects of each, in words and numbers.
#include <jute/plan/choose/considered.hpp>

#include <algorithm>
#include <array>
#include <utility>

#include "base/format.hpp"
#include "plan/choose/choices.hpp"
#include "plan/choose/derived.hpp"
#include "plan/choose/planning.hpp"
#include "plan/choose/staged_cost.hpp"
#include "plan/choose/step_cost.hpp"
#include "plan/cost/cost_model.hpp"
#include "plan/cost/tiles/work_cost.hpp"
#include "plan/derive/moves.hpp"

namespace jute {
namespace {

constexpr size_t kMostTold = 10;

/// Clocks that one cause adds to a prediction.
struct Cause {
  std::string_view name;
  double (*clocks)(const Prediction&);
};
double ends_of_tiles(const Prediction& p) { return p.ends * (p.tile + p.epilogue) * p.power; }
double waiting_for_memory(const Prediction& p) {
  return std::max(0.0, p.memory + p.past_the_edge + p.last_end - p.work) + p.least;
}
// clang-format off
constexpr std::array kCauses{
    Cause{"k-blocks",                 [](const Prediction& p) { return p.work - ends_of_tiles(p); }},
    Cause{"ends of tiles",            &ends_of_tiles},
    Cause{"memory",                   &waiting_for_memory},
    Cause{"slices that meet",         [](const Prediction& p) { return p.meet; }},
};
// clang-format on

/// The sum that the model forms.
std::string sum_of_terms(const Prediction& p) {
  std::string text = base::format(
      "{:.0f} clocks: launch {:.0f}, start {:.0f}, {:.0f} waves of {:.0f} k-blocks at {:.0f} "
      "(products {:.0f}, feed {:.0f}) and {:.0f} at {:.0f} ends of tiles",
      p.clocks, p.launch, p.start, p.waves, p.k_blocks, p.k_block, p.products, p.feed,
      p.tile + p.epilogue, p.ends);
  if (p.power != 1) text += base::format(", power x {:.3f}", p.power);
  text += base::format("; memory {:.0f}", p.memory);
  if (p.past_the_edge > 0) text += base::format(" + {:.0f} past the edge", p.past_the_edge);
  text += base::format(" + {:.0f} at the last end", p.last_end);
  if (p.meet > 0) text += base::format("; slices meet {:.0f}", p.meet);
  if (p.moves > 0) text += base::format("; copies {:.0f}", p.moves);
  return text;
}

std::string considered_line(const Considered& candidate) {
  std::string text = candidate.text;
  if (candidate.prediction) text += ": " + sum_of_terms(*candidate.prediction);
  if (!candidate.refused.empty()) text += "; not planned: " + candidate.refused;
  return text;
}

Field considered_field(const Considered& candidate) {
  Fields parts{{"text", candidate.text},
               {"config", to_string(candidate.config)},
               {"refused", candidate.refused}};
  if (candidate.prediction) parts.push_back({"prediction", fields(*candidate.prediction)});
  return {"candidate", std::move(parts), considered_line(candidate)};
}

/// With what it takes to copy operands first.
Prediction with_moves(Prediction prediction, const MoveStep& moves, const Problem& problem) {
  KernelCost copied;
  plan::add_moves(copied, moves, problem);
  prediction.moves = plan::clocks_of_moves(copied.moved, problem.m, problem.batch);
  prediction.clocks += prediction.moves;
  return prediction;
}

}  // namespace

std::vector<Considered> considered(const Problem& problem, const DeviceInfo& device,
                                   const Config& config, const Catalogue& catalogue) {
  Problem whole = completed(problem);
  whole.m_range.reset();
  const plan::Planning planning{whole, device, config, catalogue};
  const plan::Options options = plan::options_for(planning);
  std::vector<Considered> list;
  for (const plan::Candidate& candidate : options.candidates) {
    Considered one{.text = to_string(candidate)};
    const plan::Derived derived = plan::derived(planning, options, candidate);
    if (const auto* step = std::get_if<GemmStep>(&derived)) {
      one.config = options.moves || plan::needs_copies(options.kernel)
                       ? plan::choices(config, *step, options.moves.has_value())
                       : plan::choices(config, *step);
      if (auto cost = plan::kernel_cost(*step, device, false)) {
        if (options.moves) plan::add_moves(*cost, *options.moves, whole);
        one.prediction = cost->at(whole.m, whole.batch);
      } else {
        one.prediction = plan::predicted(step->work, device);
        if (one.prediction && options.moves)
          one.prediction = with_moves(*one.prediction, *options.moves, whole);
      }
    } else {
      one.refused = std::get<plan::Errors>(derived).front().violated_rules.front();
    }
    list.push_back(std::move(one));
  }
  return list;
}

std::optional<Prediction> prediction_of(const Plan& plan) {
  const std::optional<KernelCost> cost = plan::kernel_cost(plan, gemm_step(plan).work, false);
  if (cost) return cost->at(plan.problem.m, plan.problem.batch);
  std::optional<Prediction> prediction = plan::predicted(gemm_step(plan).work, plan.device);
  for (const Step& step : plan.steps)
    if (const auto* moves = std::get_if<MoveStep>(&step); moves != nullptr && prediction)
      prediction = with_moves(*prediction, *moves, plan.problem);
  return prediction;
}

std::string why(const std::vector<Considered>& candidates) {
  std::vector<const Considered*> legal;
  for (const Considered& candidate : candidates)
    if (candidate.refused.empty()) legal.push_back(&candidate);
  if (legal.empty()) return "no candidate is legal";
  const std::string text = legal[0]->text;
  if (!legal[0]->prediction || legal.size() < 2 || !legal[1]->prediction)
    return text + " is the first row of the table that suits; nothing is predicted of it";
  const Prediction &first = *legal[0]->prediction, &second = *legal[1]->prediction;
  if (first.clocks > second.clocks)
    return base::format("{} is expected to take {:.0f} clocks, {:.1f} % more than the next, {}: {}",
                        text, first.clocks, 100 * (first.clocks / second.clocks - 1),
                        legal[1]->text,
                        legal[0]->config.specialize == Specialize::shared
                            ? "it comes earlier in the list of tiles that problems share, and a "
                              "kernel more must save more"
                            : "of its tile alone, before the rest was chosen, less was expected");
  const auto saved = [&](const Cause& cause) { return cause.clocks(second) - cause.clocks(first); };
  const Cause& most = *std::ranges::max_element(kCauses, {}, saved);
  return base::format(
      "{} is expected to take {:.0f} clocks, {:.1f} % less than the next, {}; it saves most by {}: "
      "{:.0f} clocks against {:.0f}",
      text, first.clocks, 100 * (1 - first.clocks / second.clocks), legal[1]->text, most.name,
      most.clocks(first), most.clocks(second));
}

std::string comparison(const std::vector<Considered>& candidates) {
  constexpr double kAlike = 0.01;  // of the first one's clocks
  std::vector<const Considered*> legal;
  for (const Considered& candidate : candidates)
    if (candidate.refused.empty()) legal.push_back(&candidate);
  const std::string place =
      base::format("It comes first of {} candidates", std::max<size_t>(candidates.size(), 1));
  if (legal.size() < 2) return place + ", of which no other is legal here";
  if (!legal[0]->prediction)
    return base::format("{}, by the order of a table: nothing is predicted of it; the next is {}",
                        place, legal[1]->text);
  const Prediction& first = *legal[0]->prediction;
  const auto differs = [&](const Considered* one) {
    return one->prediction && std::abs(one->prediction->clocks / first.clocks - 1) >= kAlike;
  };
  const auto next = std::find_if(legal.begin() + 1, legal.end(), differs);
  if (next == legal.end())
    return base::format("{}, from which the next, {}, is expected to differ by less than 1 %",
                        place, legal[1]->text);
  const Prediction& other = *(*next)->prediction;
  const auto lost = [&](const Cause& cause) { return cause.clocks(other) - cause.clocks(first); };
  if (other.clocks < first.clocks)
    return base::format("{}, though {} is expected to take {:.0f} % less: {}", place, (*next)->text,
                        100 * (1 - other.clocks / first.clocks),
                        legal[0]->config.specialize == Specialize::shared
                            ? "it comes earlier in the list of tiles that problems share"
                            : "of its tile alone, before the rest was chosen, less was expected");
  const Cause& most = *std::ranges::max_element(kCauses, {}, lost);
  return base::format(
      "{}; the next that differs, {}, is expected to take {:.0f} % more clocks, most of them by {}",
      place, (*next)->text, 100 * (other.clocks / first.clocks - 1), most.name);
}

Fields fields(const std::vector<Considered>& candidates) {
  FieldList list;
  for (size_t i = 0; i < std::min(candidates.size(), kMostTold); ++i)
    list.items.push_back(considered_field(candidates[i]));
  return {{"considered", std::move(list)}, {"why", why(candidates)}};
}

}  // namespace jute
