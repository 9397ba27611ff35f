// The candidates of a problem in words: what is expected of them, and what decides between them.
#include <jute/plan/choose/considered.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <utility>

#include "base/format.hpp"
#include "plan/cost/fitted.hpp"

namespace jute {
namespace {

constexpr size_t kMostShown = 10, kMostOfIdea = 3;

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
    Cause{"reduction of split-K",         [](const Prediction& p) { return p.reduction; }},
};
// clang-format on

/// The sum that planning compares, and what a k-block is made of.
std::string sum_of_terms(const Considered& candidate) {
  const Prediction& p = *candidate.prediction;
  std::string sum;
  for (const Term& term : terms(p))
    sum += base::format("{} {} {:.0f}", sum.empty() ? "" : " +", term.name, term.clocks);
  return base::format(
      "{:.0f} clocks ={}; {:.0f} waves of {:.0f} k-blocks at {:.0f} (products "
      "{:.0f}, feed {:.0f}), memory {:.0f}",
      *compared_clocks(candidate), sum, p.waves, p.k_blocks, p.k_block, p.products, p.feed,
      p.memory);
}

std::string considered_line(const Considered& candidate) {
  std::string text = candidate.text;
  if (candidate.prediction) text += ": " + sum_of_terms(candidate);
  if (!candidate.refused.empty()) text += "; not planned: " + candidate.refused;
  return text;
}

Field considered_field(const Considered& candidate) {
  Fields parts{{"text", candidate.text},
               {"config", to_string(candidate.config)},
               {"refused", candidate.refused}};
  parts.push_back({"idea", candidate.idea});
  if (candidate.prediction) parts.push_back({"prediction", fields(*candidate.prediction)});
  return {"candidate", std::move(parts), considered_line(candidate)};
}

/// Part of the clocks by which the model's ratios between two candidates are off, in the median of
/// those that it expects to differ by less than a quarter: of the first one's main loop, on an
/// H200, 2026-11-28 (choice_bench).
double model_error(const Considered& first) {
  switch (first.config.main_loop.value_or(MainLoop::warp_specialised)) {
    case MainLoop::warp_specialised:
      return plan::fitted::kErrorOfGroups;
    case MainLoop::straight:
      return plan::fitted::kErrorOfStraight;
    default:
      return plan::fitted::kErrorOfStaged;
  }
}

/// Which number of the chip a term goes by.
struct TermFigure {
  std::string_view term, figure;
};
constexpr std::array kTermFigures{TermFigure{"products", "the rate of its instruction"},
                                  TermFigure{"feed", "l2_bytes"},
                                  TermFigure{"memory", "memory_seen_gb_s"}};

double clocks_of(const Considered& candidate, std::string_view name) {
  for (const Term& term : terms(*candidate.prediction))
    if (term.name == name) return term.clocks;
  return 0;
}

/// How many times as great the figure would have to be for both to take as long, by the terms as
/// they are; none where it is nothing that they differ by.
std::optional<double> turning_factor(const Considered& first, const Considered& next,
                                     std::string_view term) {
  const double lead = *compared_clocks(next) - *compared_clocks(first);
  const double more = clocks_of(first, term) - clocks_of(next, term);
  const double times = 1 + lead / more;  // as long as the term takes now
  if (more == 0 || times <= 0) return std::nullopt;
  return 1 / times;
}

std::string turning_point(const Considered& first, const Considered& next) {
  constexpr double kMostTimes = 2;  // beyond, it would be another kind of chip
  std::optional<double> best;
  std::string_view figure;
  for (const TermFigure& one : kTermFigures) {
    const std::optional<double> factor = turning_factor(first, next, one.term);
    if (!factor || *factor > kMostTimes || *factor < 1 / kMostTimes) continue;
    if (best && std::abs(std::log(*best)) <= std::abs(std::log(*factor))) continue;
    best = factor;
    figure = one.figure;
  }
  if (!best) return "no rate of the chip alone, twice or half as great, would change that";
  return base::format("by the terms it would take as long if {} were {:.2f} times as great", figure,
                      *best);
}

/// Where blocks begin, in the order of main loops: what lies beside another kernel's end is not
/// felt of a launch.
constexpr std::string_view kBesideTheEnd =
    "blocks begin beside the end of the kernel ahead, if the chip lets them";
constexpr std::string_view kBehindTheEnd = "blocks begin when the kernel ahead has ended";
constexpr std::array kBeginnings{kBesideTheEnd, kBehindTheEnd, kBehindTheEnd, kBesideTheEnd};

/// Ideas whose blocks begin alike, and between which clocks their launches take.
struct BeginAlike {
  std::string_view where;
  double least, most;
  std::vector<std::string_view> ideas{};
};

std::vector<BeginAlike> beginnings(const std::vector<Considered>& list) {
  std::vector<BeginAlike> all;
  for (const Considered& one : list) {
    if (!one.prediction || !one.config.main_loop) continue;
    const double launch = std::round(one.prediction->launch);
    const std::string_view where = kBeginnings.at(static_cast<size_t>(*one.config.main_loop));
    auto alike = std::ranges::find(all, where, &BeginAlike::where);
    if (alike == all.end()) alike = all.insert(all.end(), {where, launch, launch});
    alike->least = std::min(alike->least, launch);
    alike->most = std::max(alike->most, launch);
    if (std::ranges::count(alike->ideas, one.idea) == 0) alike->ideas.push_back(one.idea);
  }
  return all;
}

std::vector<const Considered*> legal_ones(const std::vector<Considered>& candidates) {
  std::vector<const Considered*> legal;
  for (const Considered& candidate : candidates)
    if (candidate.refused.empty()) legal.push_back(&candidate);
  return legal;
}

/// The first candidate of the best idea that has no legal one, if there is such an idea.
const Considered* refused_idea(const std::vector<Considered>& candidates) {
  const auto is_legal = [&](const Considered& one) {
    return std::ranges::any_of(candidates, [&](const Considered& other) {
      return other.idea == one.idea && other.refused.empty();
    });
  };
  const auto found = std::ranges::find_if(
      candidates, [&](const Considered& one) { return !one.refused.empty() && !is_legal(one); });
  return found == candidates.end() ? nullptr : &*found;
}

}  // namespace

std::vector<Considered> shown(const std::vector<Considered>& candidates) {
  std::vector<const Considered*> legal = legal_ones(candidates);
  const auto clocks = [](const Considered* one) {
    return compared_clocks(*one).value_or(std::numeric_limits<double>::infinity());
  };
  std::map<std::string_view, size_t> of_idea;
  const auto is_one_more = [&](const Considered* one) {
    return of_idea[one->idea]++ >= kMostOfIdea;
  };
  // Ideas that have had their turn may follow the others' last.
  std::vector<const Considered*> rest;
  std::ranges::copy_if(legal, std::back_inserter(rest), is_one_more);
  std::erase_if(legal, [&](const Considered* one) { return std::ranges::count(rest, one) > 0; });
  for (const Considered* one : rest)
    if (clocks(one) >= clocks(legal.back())) legal.push_back(one);
  std::vector<Considered> list;
  for (const Considered* one : legal)
    if (list.size() < kMostShown) list.push_back(*one);
  return list;
}

std::string why(const std::vector<Considered>& candidates) {
  const std::vector<const Considered*> legal = legal_ones(candidates);
  if (legal.empty()) return "no candidate is legal";
  const std::string text = legal[0]->text;
  if (legal.size() < 2) return text + " is the only one that is legal";
  const Prediction &first = *legal[0]->prediction, &second = *legal[1]->prediction;
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
  const std::vector<const Considered*> legal = legal_ones(candidates);
  const std::string place =
      base::format("It comes first of {} candidates", std::max<size_t>(candidates.size(), 1));
  if (legal.size() < 2) return place + ", of which no other is legal here";
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
  const Cause& most = *std::ranges::max_element(kCauses, {}, lost);
  return base::format(
      "{}; the next that differs, {}, is expected to take {:.0f} % more clocks, most of them by {}",
      place, (*next)->text, 100 * (other.clocks / first.clocks - 1), most.name);
}

std::string decided_by(const std::vector<Considered>& candidates) {
  const std::vector<Considered> list = shown(candidates);
  const auto next = std::ranges::find_if(
      list, [&](const Considered& one) { return one.idea != list.front().idea && one.prediction; });
  if (next == list.end() || !list.front().prediction) return "";
  const Considered& first = list.front();
  const double lead = *compared_clocks(*next) / *compared_clocks(first) - 1;
  std::string text = base::format("The next other idea, {}, is {:.1f} % behind; {}", next->text,
                                  100 * lead, turning_point(first, *next));
  const double error = model_error(first);
  if (lead < error)
    text += base::format(
        "; the lead is less than the {:.0f} % by which the model is off in the median: only a "
        "measurement decides",
        100 * error);
  return text;
}

std::string launch_words(const std::vector<Considered>& candidates) {
  const std::vector<Considered> list = shown(candidates);
  const std::vector<BeginAlike> all = beginnings(list);
  const auto differs = [&](const BeginAlike& one) {
    return one.least != one.most || one.least != all.front().least;
  };
  if (std::ranges::none_of(all, differs)) return "";
  std::string text = "as each family was timed, less where few loads begin it";
  for (const BeginAlike& one : all) {
    text += base::format("; {:.0f}", one.least);
    if (one.most > one.least) text += base::format(" to {:.0f}", one.most);
    text += base::format(" clocks where {}: ", one.where);
    for (const std::string_view idea : one.ideas)
      text += base::format("{}{}", idea == one.ideas.front() ? "" : " | ", idea);
  }
  return text;
}

Fields fields(const std::vector<Considered>& candidates) {
  FieldList list;
  for (const Considered& one : shown(candidates)) list.items.push_back(considered_field(one));
  Fields all{{"considered", std::move(list)}, {"why", why(candidates)}};
  if (std::string decided = decided_by(candidates); !decided.empty())
    all.push_back({"decided_by", std::move(decided)});
  if (std::string launches = launch_words(candidates); !launches.empty())
    all.push_back({"launch", std::move(launches)});
  if (const Considered* refused = refused_idea(candidates))
    all.push_back({"refused", refused->text + ": " + refused->refused});
  return all;
}

}  // namespace jute
