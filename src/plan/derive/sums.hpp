#pragma once
// Sums of operands over K that an epilogue names: made ahead of the GEMM where that reads them, as
// it reads any vector, else behind it.
#include <jute/plan/values/plan.hpp>

#include <optional>

namespace jute::plan {

/// The step that makes them, if the problem's epilogue names any.
[[nodiscard]] std::optional<MoveStep> sum_operands(const Problem& problem,
                                                   const DeviceInfo& device);
/// Operands that a step which computes `part` of the epilogue reads beside values: scalars, scale
/// factors.
void add_scalars(MoveStep& step, const Problem& problem, const EpilogueExpression& part);
/// Decides whether the step stands ahead of the GEMM or behind it. What the GEMM may let begin
/// before it has waited itself finds nothing there yet to read.
void follow(MoveStep& sums, const GemmStep& gemm);

}  // namespace jute::plan
