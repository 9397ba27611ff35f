#pragma once
// Sums of operands over K that an epilogue names: made ahead of the GEMM where that reads them, as
// it reads any vector, else behind it.
#include <jute/plan/values/plan.hpp>

#include <optional>
#include <vector>

#include "plan/ask/kernel_problem.hpp"

namespace jute::plan {

/// The step that makes them, if the problem's epilogue names any.
[[nodiscard]] std::optional<MoveStep> sum_operands(const Problem& problem,
                                                   const DeviceInfo& device);
/// Does the GEMM read none of the sums?
[[nodiscard]] bool sums_follow(const Problem& problem);
/// Decides whether the step stands ahead of the GEMM or behind it. What the GEMM may let begin
/// before it has waited itself finds nothing there yet to read.
void follow(MoveStep& sums, const GemmStep& gemm);
/// `formed behind the GEMM, outputs in f32, full; of in0 s f32 by value`
[[nodiscard]] std::string text_of(const MoveStep& sums);
/// `out1 f32 dbias = a_sum[m]`
[[nodiscard]] std::string text_of(const std::vector<SumOutput>& outputs);
/// Of the sums in the workspace.
[[nodiscard]] Count sum_bytes(const OperandSum& sum);

/// The sums as inputs of the problem's kernel, a_sum and b_sum.
[[nodiscard]] std::vector<KernelOperand> sum_inputs(const Problem& problem);
/// How many sums the epilogue names.
[[nodiscard]] std::size_t sum_count(const EpilogueExpression& expression);

}  // namespace jute::plan
