// The copy of an operand that stays, made once.
#include "gemm/packing.hpp"

#include <jute/plan/run/bind.hpp>
#include <jute/plan/values/planned_values.hpp>

#include <algorithm>

#include "gemm/context_impl.hpp"
#include "gemm/joint_gemm.hpp"
#include "gemm/prepared_gemm.hpp"
#include "gemm/run_values.hpp"

namespace jute {
namespace gemm {

CopyOf copy_of(const Plan& plan, TensorRole operand) {
  for (size_t i = 0; i < plan.steps.size(); ++i)
    if (const auto* moves = std::get_if<MoveStep>(&plan.steps[i]))
      for (const Move& move : moves->moves)
        if (move.tensor == operand && move.own_alignment == 0) return {i, &move};
  return {};
}

size_t packing_plan(std::span<const Plan> plans, TensorRole operand) {
  for (size_t i = plans.size(); i > 0; --i)
    if (copy_of(plans[i - 1], operand).move != nullptr) return i - 1;
  return plans.size() - 1;
}

bool reads_packed(const Plan& plan, std::span<const Plan> plans, TensorRole operand) {
  const Move* const own = copy_of(plan, operand).move;
  return own != nullptr && *own == *copy_of(plans[packing_plan(plans, operand)], operand).move;
}

}  // namespace gemm

Index Gemm::packed_bytes(TensorRole operand) const {
  if (impl_->joint) return 0;
  const Plan& plan = plans()[gemm::packing_plan(plans(), operand)];
  const gemm::CopyOf copy = gemm::copy_of(plan, operand);
  if (copy.move == nullptr) return 0;
  const auto region = std::ranges::find(plan.workspace, copy.move->region, &WorkspaceRegion::name);
  return region->bytes.evaluate(jute::run_values(plan.problem));
}

void Gemm::pack(TensorRole operand, DevicePointer packed, const GemmArgs& args) const {
  if (impl_->joint) gemm::refuse_of_parts("parts of D must get the operand as it lies");
  const gemm::PreparedGemm& prepared = *impl_->prepared;
  RunValues run = gemm::run_values(prepared.problem, args);
  const size_t place = gemm::packing_plan(prepared.plans, operand);
  const Plan& plan = prepared.plans[place];
  const gemm::PreparedKernel& kernel = prepared.kernels[place];
  kernel.rules.check_packing(operand, packed, run);
  run.copies = {CopyPlace{0, true}, CopyPlace{0, true}};
  run.copies.at(static_cast<size_t>(operand)) = {packed, false};
  const size_t step = gemm::copy_of(plan, operand).step;
  LaunchSpec spec = bind(plan, step, run, *kernel.steps->backend);
  if (!prepared.overlaps) spec.order = LaunchOrder::after_previous;
  if (spec.grid.x > 0)
    kernel.steps->backend->launch(kernel.steps->kernels[step], spec, args.stream);
}

}  // namespace jute
