// Plans of a problem whose rows differ from run to run, and which of them is whose.
#include <jute/plan/choose/m_range.hpp>
#include <jute/plan/choose/width_choices.hpp>

#include <algorithm>

#include "base/own_stack.hpp"
#include "plan/choose/covered.hpp"
#include "plan/choose/row_search.hpp"

namespace jute {

std::vector<Plan> make_plans(const Problem& problem, const DeviceInfo& device, const Config& config,
                             const Catalogue& catalogue, const RangeLimits& limits) {
  return base::with_enough_stack(
      [&] { return plan::covered(problem, device, config, catalogue, limits).plans; });
}

size_t first_for_rows(std::span<const Plan> plans, Index m) {
  const auto first =
      std::ranges::find_if(plans, [&](const Plan& plan) { return m <= plan.problem.m; });
  return first == plans.end() ? 0 : static_cast<size_t>(first - plans.begin());
}

const Plan& plan_for_m(std::span<const Plan> plans, Index m) {
  const auto clocks = [&](const Plan& plan) {
    return best_width(width_costs(plan), m, plan.problem.batch).clocks;
  };
  return *std::ranges::min_element(plans.subspan(first_for_rows(plans, m)), {}, clocks);
}

}  // namespace jute
