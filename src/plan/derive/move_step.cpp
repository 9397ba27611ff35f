// Blocks, name and launch of such a step.
#include "plan/derive/move_step.hpp"

#include <jute/base/arch_feature.hpp>

#include <utility>

#include "base/format.hpp"

namespace jute::plan {

const Matrix& matrix_of(const Problem& problem, TensorRole tensor) {
  if (tensor == TensorRole::c) return problem.c;
  if (tensor == TensorRole::d) return problem.d;
  return tensor == TensorRole::a ? problem.a : problem.b;
}
Matrix& matrix_of(Problem& problem, TensorRole tensor) {
  return const_cast<Matrix&>(matrix_of(std::as_const(problem), tensor));
}

void add_blocks(MoveStep& step, const Count& blocks) {
  const bool is_first = step.threads == 0;
  step.grid[0] = is_first ? blocks : step.grid[0] + blocks;
  step.threads = kMoveThreads;
}

void complete_move_step(MoveStep& step, std::string_view what, DType type,
                        const DeviceInfo& device) {
  step.arch = device.arch;
  step.symbol = base::format("jute_{}_{}_{}", arch_text(device.arch), what, name(type));
  // All blocks have begun by the time that the GEMM may: it takes nothing from them but what they
  // leave.
  if (provides(device.arch, ArchFeature::dependent_launches)) {
    step.order = LaunchOrder::overlap_previous;
    step.releases = Release::at_start;
  }
}

}  // namespace jute::plan
