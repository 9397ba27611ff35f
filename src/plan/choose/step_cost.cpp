// Steps by the tile that they were made of.
#include "plan/choose/step_cost.hpp"

#include "plan/cost/tiles/work_cost.hpp"
#include "plan/derive/moves.hpp"

namespace jute::plan {
std::optional<KernelCost> kernel_cost(const GemmStep& step, const DeviceInfo& device,
                                      bool m_at_run_time) {
  return warpgroup_cost(step.work, device, m_at_run_time);
}

std::optional<KernelCost> kernel_cost(const Plan& plan, const Work& work, bool m_at_run_time) {
  std::optional<KernelCost> cost = warpgroup_cost(work, plan.device, m_at_run_time);
  if (cost)
    for (const Step& other : plan.steps)
      if (const auto* moves = std::get_if<MoveStep>(&other)) add_moves(*cost, *moves, plan.problem);
  return cost;
}

}  // namespace jute::plan

namespace jute {

std::optional<KernelCost> kernel_cost(const Plan& plan) {
  return plan::kernel_cost(plan, gemm_step(plan).work, true);
}

}  // namespace jute
