#pragma once
// Stages that have an operand as it is stored, ahead of what instructions multiply.
#include <jute/base/export.hpp>
#include <jute/layout/algebra.hpp>
#include <jute/plan/values/plan.hpp>

namespace JUTE_API jute {

/// Do stages have the operand as it is stored? Then each thread converts what it has copied itself,
/// a k-tile ahead, into one of `kConvertedStages` places that instructions read.
[[nodiscard]] inline bool has_stored_stages(const OperandPlan& operand) {
  return operand.stored && operand.transfer == Transfer::cp_async;
}
[[nodiscard]] inline bool converts_stages(const GemmStep& step) {
  return has_stored_stages(step.a) || has_stored_stages(step.b);
}
inline constexpr int kConvertedStages = 2;
/// Bytes of one of those stages: the vectors of all threads, of which each has its own.
[[nodiscard]] inline Index stored_stage_bytes(const OperandPlan& operand) {
  constexpr Index kByteBits = 8;
  return size(operand.copy_tv) * width_bits(operand.stored->type) / kByteBits;
}

}  // namespace jute
