// The choice, start to end.
#include <jute/plan/plan.hpp>

#include <jute/base/checked.hpp>

#include "plan/fma_family.hpp"
#include "plan/mma_family.hpp"
#include "plan/pad.hpp"
#include "plan/rules.hpp"

namespace jute {
namespace plan {
namespace {

/// The caller's atom, else a tensor-core one for the types, else none: thread FMA.
std::optional<MmaAtom> chosen_atom(const KernelProblem& problem, const DeviceInfo& device,
                                   const Config& config, const Catalogue& catalogue) {
  const std::optional<std::string> name =
      config.mma_atom ? config.mma_atom : mma_atom_for(problem, device.arch);
  if (!name) return std::nullopt;
  return catalogue.mma(*name);
}

bool is_tensor_core(const std::optional<MmaAtom>& atom) {
  return atom && atom->form != MmaForm::fma;
}

bool multiplies_on_tensor_cores(const Problem& problem, const DeviceInfo& device,
                                const Config& config, const Catalogue& catalogue) {
  return is_tensor_core(
      chosen_atom(kernel_problem(problem, config.specialize), device, config, catalogue));
}

GemmStep plan_gemm(const KernelProblem& problem, const DeviceInfo& device, const Config& config,
                   const Catalogue& catalogue) {
  const std::optional<MmaAtom> atom = chosen_atom(problem, device, config, catalogue);
  return is_tensor_core(atom) ? mma_step(problem, *atom, device, config, catalogue)
                              : fma_step(problem, device, config, catalogue);
}

}  // namespace
}  // namespace plan

Plan make_plan(const Problem& problem, const DeviceInfo& device, const Config& config,
               const Catalogue& catalogue) {
  Plan plan{completed(problem), device, {}, 0};
  Problem read = plan.problem;  // as the GEMM's kernel reads it
  if (plan::multiplies_on_tensor_cores(plan.problem, device, config, catalogue))
    for (PadStep& step : plan::pad_operands(read, device, config)) {
      const LaunchSizes sizes{read.m, read.n, read.batch};
      plan.workspace_bytes =
          checked_add(plan.workspace_bytes, padded_rows(step, sizes, read.k).bytes, "workspace");
      plan.steps.emplace_back(std::move(step));
    }
  const plan::KernelProblem kernel = plan::kernel_problem(read, config.specialize);
  GemmStep step = plan::plan_gemm(kernel, device, config, catalogue);
  plan::refuse_if_any(plan::step_rules(step, device));
  plan.steps.emplace_back(std::move(step));
  return plan;
}

const GemmStep& gemm_step(const Plan& plan) { return std::get<GemmStep>(plan.steps.back()); }

std::vector<Error> check(const Plan& plan) {
  std::vector<Error> errors;
  for (const Step& step : plan.steps)
    if (const auto* gemm = std::get_if<GemmStep>(&step))
      for (Error& error : plan::step_rules(*gemm, plan.device)) errors.push_back(std::move(error));
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
