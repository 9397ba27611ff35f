// Plans a held problem and writes its kernels.
#include "support/held_sources.hpp"

#include <jute/codegen/generate.hpp>
#include <jute/dist/distributed_plan.hpp>
#include <jute/launch/device_presets.hpp>
#include <jute/plan/choose/cover.hpp>
#include <jute/plan/choose/parts.hpp>

namespace jute::test {
namespace {

std::vector<Plan> plans_of(const HeldProblem& held) {
  const DeviceInfo& device = device_preset(held.chip);
  const Problem& problem = held.parts.front();
  if (!held.ranks.empty())
    return make_plan(parse_distributed_problem(jute::to_string(problem) + " " + held.ranks), device,
                     held.config)
        .kernels;
  if (!problem.m_range) return {make_plan_of_parts(held.parts, device, held.config)};
  std::vector<Plan> plans;
  for (const CoveredProblem& one : cover(held.parts, device, {.config = held.config}).problems)
    plans.insert(plans.end(), one.plans.begin(), one.plans.end());
  return plans;
}

}  // namespace

std::vector<Source> held_sources(const HeldProblem& held) {
  std::vector<Plan> plans;
  try {
    plans = plans_of(held);
  } catch (const Exception&) {  // what is refused has no kernel
    return {};
  }
  std::vector<Source> all;
  for (const Plan& plan : plans)
    for (const Plan& part : parts_of(plan))
      for (Source& source : generate(part)) all.push_back(std::move(source));
  return all;
}

}  // namespace jute::test
