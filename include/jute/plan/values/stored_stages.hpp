#pragma once
// Stages that have an operand as it is stored, ahead of what instructions multiply.
#include <jute/base/export.hpp>
#include <jute/layout/algebra.hpp>
#include <jute/plan/values/plan.hpp>

namespace JUTE_API jute {

/// Do stages have the operand as it is stored? Then each thread converts what it has copied itself,
/// a k-tile ahead, into one of `kConvertedStages` places that instructions read.
[[nodiscard]] inline bool has_stored_stages(const OperandPlan& operand) {
  return operand.stored && transfer_of(operand) == Transfer::cp_async;
}
[[nodiscard]] inline bool converts_stages(const GemmStep& step) {
  return has_stored_stages(step.a) || has_stored_stages(step.b);
}
inline constexpr int kConvertedStages = 2;
/// Does a straight main loop bring the operand as it is stored to stages? Each thread finds there
/// what it asked for itself, and waits for no other.
[[nodiscard]] inline bool has_stored_ring(const KernelSchedule& schedule,
                                          const OperandPlan& operand) {
  return operand.stored && transfer_of(operand) == Transfer::straight && schedule.stages > 1;
}
/// Bytes of a stage of either: the vectors of all threads, of which each has its own.
[[nodiscard]] inline Index stored_stage_bytes(const OperandPlan& operand) {
  constexpr Index kByteBits = 8;
  return size(copy_of(operand).copy_tv) * width_bits(operand.stored->type) / kByteBits;
}

/// Does TMA bring the operand as it is stored? Then instructions take it from registers, where each
/// thread converts what it multiplies.
[[nodiscard]] inline bool has_stored_boxes(const OperandPlan& operand) {
  return operand.stored && transfer_of(operand) == Transfer::tma;
}
/// The type of a stage: bytes of such an operand, elements of others.
[[nodiscard]] inline DType staged_type(const OperandPlan& operand) {
  return has_stored_boxes(operand) ? DType::u8 : operand.type;
}
/// So many elements along K, in what a stage is made of.
[[nodiscard]] inline Index staged_along_k(const OperandPlan& operand, Index k) {
  constexpr Index kByteBits = 8;
  return has_stored_boxes(operand) ? k * width_bits(operand.stored->type) / kByteBits : k;
}

/// Elements of such an operand of which a thread takes some from one read: of 4 bits those of 16
/// bytes, of 8 bits those of 4.
[[nodiscard]] inline int elements_of_read(DType stored) { return width_bits(stored) == 4 ? 32 : 4; }
/// Elements along K that become fragments together, between one wait for products and the next.
inline constexpr int kConvertedK = 32;

}  // namespace jute
