// The choice, start to end.
#include <jute/plan/plan.hpp>

#include <jute/base/checked.hpp>

#include "plan/fma_family.hpp"
#include "plan/mma_family.hpp"
#include "plan/rules.hpp"

namespace jute {
namespace plan {
namespace {

/// The family follows from the atom: the caller's, else a tensor-core one for the types, else FMA.
GemmStep gemm_step(const KernelProblem& problem, const DeviceInfo& device, const Config& config,
                   const Catalogue& catalogue) {
  const std::optional<std::string> name =
      config.mma_atom ? config.mma_atom : mma_atom_for(problem, device.arch);
  if (!name) return fma_step(problem, device, config, catalogue);
  const MmaAtom atom = catalogue.mma(*name);
  return atom.form == MmaForm::fma ? fma_step(problem, device, config, catalogue)
                                   : mma_step(problem, atom, device, config, catalogue);
}

}  // namespace
}  // namespace plan

Plan make_plan(const Problem& problem, const DeviceInfo& device, const Config& config,
               const Catalogue& catalogue) {
  Plan plan{completed(problem), device, {}, 0};
  const plan::KernelProblem kernel = plan::kernel_problem(plan.problem, config.specialize);
  GemmStep step = plan::gemm_step(kernel, device, config, catalogue);
  plan::refuse_if_any(plan::step_rules(step, device));
  plan.steps.emplace_back(std::move(step));
  return plan;
}

std::vector<Error> check(const Plan& plan) {
  std::vector<Error> errors;
  for (const Step& step : plan.steps) {
    const std::vector<Error> of_step =
        std::visit([&](const GemmStep& gemm) { return plan::step_rules(gemm, plan.device); }, step);
    errors.insert(errors.end(), of_step.begin(), of_step.end());
  }
  return errors;
}

Dim3 grid(const GemmStep& step, const LaunchSizes& sizes) {
  const Index m = step.transposed ? sizes.n : sizes.m;
  const Index n = step.transposed ? sizes.m : sizes.n;
  const Index tiles = checked_mul(ceil_div(m, step.tile.m), ceil_div(n, step.tile.n), "tiles");
  const Index blocks = checked_mul(tiles, sizes.batch, "blocks");
  const Index most = (Index{1} << 31) - 1;
  if (blocks > most)
    throw Exception({ErrorCode::illegal_problem,
                     "blocks",
                     std::to_string(blocks),
                     {"a grid has at most 2147483647 blocks"},
                     std::to_string(most),
                     {},
                     {}});
  return {blocks, 1, 1};
}

}  // namespace jute
