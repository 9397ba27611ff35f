// The copy of an operand that stays, made once.
#include <jute/plan/bind.hpp>

#include "gemm/context_impl.hpp"
#include "gemm/prepared_gemm.hpp"
#include "gemm/run_values.hpp"

#include <algorithm>

namespace jute {
namespace {

/// The step of a plan that copies an operand, and how.
struct CopyOf {
  size_t step = 0;
  const Move* move = nullptr;  ///< none: the operand is read as it lies
};
CopyOf copy_of(const Plan& plan, TensorRole operand) {
  for (size_t i = 0; i < plan.steps.size(); ++i)
    if (const auto* moves = std::get_if<MoveStep>(&plan.steps[i]))
      for (const Move& move : moves->moves)
        if (move.tensor == operand) return {i, &move};
  return {};
}

}  // namespace

Index Gemm::packed_bytes(TensorRole operand) const {
  const CopyOf copy = copy_of(plan(), operand);
  if (copy.move == nullptr) return 0;
  const auto region =
      std::ranges::find(plan().workspace, copy.move->region, &WorkspaceRegion::name);
  return region->bytes.evaluate(jute::run_values(plan().problem));
}

void Gemm::pack(TensorRole operand, DevicePointer packed, const GemmArgs& args) const {
  const gemm::PreparedGemm& prepared = *impl_->prepared;
  RunValues run = gemm::run_values(prepared.problem, args);
  const size_t serving = prepared.serving(run).kernel;
  const gemm::PreparedKernel& kernel = prepared.kernels[serving];
  kernel.rules.check_packing(operand, packed, run);
  run.copies = {CopyPlace{0, true}, CopyPlace{0, true}};
  run.copies.at(static_cast<size_t>(operand)) = {packed, false};
  const size_t step = copy_of(prepared.plans[serving], operand).step;
  LaunchSpec spec = bind(prepared.plans[serving], step, run, *kernel.steps->backend);
  if (!prepared.overlaps) spec.order = LaunchOrder::after_previous;
  if (spec.grid.x > 0)
    kernel.steps->backend->launch(kernel.steps->kernels[step], spec, args.stream);
}

}  // namespace jute
