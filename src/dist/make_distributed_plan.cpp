// Which share, and its plan: every axis to M, N or K, copied or idle.
#include <jute/base/checked.hpp>
#include <jute/plan/words/summary.hpp>

#include <algorithm>
#include <tuple>

#include "dist/derive.hpp"
#include "dist/step_cost.hpp"

namespace jute {
namespace {

/// What an axis may do.
enum class AxisUse : std::uint8_t { m, n, k, copies, idle };
constexpr Index kUses = 5;

Dimension dimension_of(AxisUse use) {
  return use == AxisUse::n ? Dimension::n : use == AxisUse::k ? Dimension::k : Dimension::m;
}

/// The share in which each axis does what the digits of `number` say.
Share share_of(const DistributedProblem& problem, Index number) {
  Share share;
  std::vector<Deal> idle;
  Index parts = 1;  // that M is cut into
  for (const MeshAxis& axis : problem.mesh.axes) {
    const auto use = static_cast<AxisUse>(number % kUses);
    number /= kUses;
    if (use == AxisUse::copies) continue;
    if (use == AxisUse::idle) {
      idle.push_back({Dimension::m, axis.name, 0});
      continue;
    }
    share.deals.push_back({dimension_of(use), axis.name, 0});
    if (use == AxisUse::m) parts *= axis.size;
  }
  // One block for all of M: the widest cut, and a multiple of what is cut out of it.
  Index block = ceil_div(std::max<Index>(1, problem.problem.m), parts) * parts;
  for (auto deal = idle.rbegin(); deal != idle.rend(); ++deal) {
    deal->block = block;
    block *= problem.mesh.axes[static_cast<std::size_t>(axis_of(problem.mesh, deal->axis))].size;
    share.deals.insert(share.deals.begin(), *deal);
  }
  return share;
}

/// Copies of work where an axis of one rank does as well, and idle axes of one rank, are left out.
bool is_worth_it(const DistributedProblem& problem, Index number) {
  for (const MeshAxis& axis : problem.mesh.axes) {
    const auto use = static_cast<AxisUse>(number % kUses);
    number /= kUses;
    if (axis.size == 1 && use != AxisUse::copies) return false;
  }
  return true;
}

struct RatedDraft {
  dist::Draft draft;
  ConsideredShare rating;
};

RatedDraft rated(const DistributedProblem& problem, const DeviceInfo& device) {
  RatedDraft result{dist::derive(problem, device), {}};
  DistributedPlan& plan = result.draft.plan;
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    DistributedStep& step = plan.steps[i];
    if (const auto* product = std::get_if<ProductStep>(&step.body))
      step.us = dist::roofline_us(result.draft.kernels[product->kernel], device);
    else if (const auto* sum = std::get_if<SumStep>(&step.body))
      step.us = dist::roofline_us(result.draft.kernels[sum->kernel], device);
    else
      step.us = dist::exchange_us(plan, i);
  }
  double us = 0;
  for (const StepTime& time : timeline(plan)) us = std::max(us, time.end_us);
  result.rating = {*problem.share, us, moved_bytes(plan), result.draft.least_bytes,
                   memory_bytes(plan)};
  return result;
}

/// Does D stay as summands over an axis that the share does not cut K by?
bool keeps_summands(const DistributedProblem& problem, const Share& share) {
  return std::ranges::all_of(problem.placements.d.sums, [&](const std::string& axis) {
    return std::ranges::any_of(share.deals, [&](const Deal& deal) {
      return deal.axis == axis && deal.dimension == Dimension::k;
    });
  });
}

std::vector<RatedDraft> drafts(DistributedProblem problem, const DeviceInfo& device) {
  std::vector<RatedDraft> result;
  if (problem.share) {
    result.push_back(rated(problem, device));
    return result;
  }
  Index ways = 1;
  for (std::size_t i = 0; i < problem.mesh.axes.size(); ++i) ways *= kUses;
  for (Index number = 0; number < ways; ++number) {
    if (!is_worth_it(problem, number)) continue;
    Share share = share_of(problem, number);
    if (!keeps_summands(problem, share)) continue;
    problem.share = std::move(share);
    result.push_back(rated(problem, device));
  }
  if (result.empty())
    throw Exception({.code = ErrorCode::illegal_config,
                     .operand = "D",
                     .value = to_string(problem.placements.d),
                     .violated_rules = {"axes over which D is left as summands must be of the mesh "
                                        "and of more than one rank"}});
  const auto key = [](const RatedDraft& it) {
    return std::tuple(it.rating.us, it.rating.bytes, it.rating.memory);
  };
  std::ranges::stable_sort(result, {}, key);
  return result;
}

/// Kernels of the steps; a sum of several parts may be one of an earlier step's.
void plan_kernels(DistributedPlan& plan, const std::vector<Problem>& problems, const Config& config,
                  const Catalogue& catalogue) {
  for (DistributedStep& step : plan.steps) {
    if (std::holds_alternative<ExchangeStep>(step.body)) continue;
    const bool is_product = std::holds_alternative<ProductStep>(step.body);
    Config wishes = is_product ? config : Config{};
    wishes.specialize = Specialize::none;
    plan.kernels.push_back(
        make_plan(problems[plan.kernels.size()], plan.device, wishes, catalogue));
    step.us = expected_time(plan.kernels.back()).us;
  }
}

}  // namespace

DistributedPlan make_plan(const DistributedProblem& problem, const DeviceInfo& device,
                          const Config& config, const Catalogue& catalogue) {
  std::vector<RatedDraft> all = drafts(completed(problem), device);
  DistributedPlan plan = std::move(all.front().draft.plan);
  for (RatedDraft& draft : all) plan.considered.push_back(std::move(draft.rating));
  plan_kernels(plan, all.front().draft.kernels, config, catalogue);
  if (std::vector<std::string> rules = broken_rules(plan); !rules.empty())
    throw Exception({.code = ErrorCode::illegal_config,
                     .operand = "placement",
                     .value = to_string(problem.placements),
                     .violated_rules = std::move(rules)});
  return plan;
}

}  // namespace jute
