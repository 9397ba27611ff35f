#pragma once
// Sums of operands over K that an epilogue names: made ahead of the GEMM, which reads them as it
// reads any vector.
#include <jute/plan/plan.hpp>

#include <optional>
#include <vector>

#include "plan/kernel_problem.hpp"

namespace jute::plan {

/// The step that makes them, if the problem's epilogue names any.
[[nodiscard]] std::optional<MoveStep> sum_operands(const Problem& problem,
                                                   const DeviceInfo& device);
/// Of the sums in the workspace.
[[nodiscard]] Count sum_bytes(const OperandSum& sum);

/// The sums as inputs of the problem's kernel, a_sum and b_sum.
[[nodiscard]] std::vector<KernelOperand> sum_inputs(const Problem& problem);
/// How many sums the epilogue names.
[[nodiscard]] std::size_t sum_count(const EpilogueExpression& expression);

}  // namespace jute::plan
