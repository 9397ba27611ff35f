// The choice, start to end.
#include <jute/plan/choose/m_range.hpp>
#include <jute/plan/values/plan.hpp>

#include "base/own_stack.hpp"
#include "plan/ask/broken_rule.hpp"
#include "plan/choose/planning.hpp"
#include "plan/derive/consequences.hpp"
#include "plan/derive/drain/regions.hpp"
#include "plan/derive/step_rules.hpp"
#include "plan/rules/grid_rules.hpp"

namespace jute {

Plan make_plan(const Problem& problem, const DeviceInfo& device, const Config& config,
               const Catalogue& catalogue) {
  return base::with_enough_stack([&] {
    const Problem whole = completed(problem);
    if (whole.m_range) return plan_for_m(make_plans(whole, device, config, catalogue), whole.m);
    return plan::one_plan(whole, device, config, catalogue);
  });
}

namespace {

std::vector<Error> checked(const Plan& plan) try {
  std::vector<Error> errors = plan::workspace_rules(plan);
  for (Error& error : plan::grid_rules(plan)) errors.push_back(std::move(error));
  if (const Problem whole = completed(plan.problem); !(whole == plan.problem))
    errors.push_back(
        plan::broken("problem", to_string(plan.problem),
                     "a plan's problem must have what follows from its types, extents and epilogue",
                     to_string(whole)));
  for (const Step& step : plan.steps)
    if (const auto* gemm = std::get_if<GemmStep>(&step)) {
      plan::Errors broken = plan::step_rules(*gemm, plan.device);
      if (broken.empty()) broken = plan::consequence_rules(plan, *gemm);
      for (Error& error : broken) errors.push_back(std::move(error));
    }
  for (const Plan& part : plan.behind)
    for (Error& error : checked(part)) errors.push_back(std::move(error));
  return errors;
} catch (const Exception& refused) {
  return {refused.error()};  // nothing follows from a problem that is none
}

}  // namespace

std::vector<Error> check(const Plan& plan) {
  return base::with_enough_stack([&] { return checked(plan); });
}

}  // namespace jute
