#pragma once
// Stages that a producer's warps fill by cp.async, in place of one thread that asks TMA.
#include <jute/base/export.hpp>
#include <jute/plan/values/plan.hpp>

namespace JUTE_API jute {

/// Do the producer's warps copy the operand's tiles to stages?
[[nodiscard]] inline bool is_carried(const GemmStep& step, const OperandPlan& operand) {
  return step.schedule.main_loop == MainLoop::warp_specialised &&
         transfer_of(operand) == Transfer::cp_async;
}
/// Do warps of the producer copy A or B, or both?
[[nodiscard]] inline bool carries(const GemmStep& step) {
  return is_carried(step, step.a) || is_carried(step, step.b);
}
/// Does TMA fill stages of A or of B?
[[nodiscard]] inline bool has_boxes(const GemmStep& step) {
  return transfer_of(step.a) == Transfer::tma || transfer_of(step.b) == Transfer::tma;
}

/// Threads that copy an operand's tile.
[[nodiscard]] int copying_threads(const GemmStep& step);

/// k-tiles that a thread of the producer may have on their way while it tells that the one ahead of
/// them has landed. Consumers release a stage when products behind it are issued: a thread that
/// waited for that with one k-tile more would wait for itself.
[[nodiscard]] constexpr int copies_in_flight(const KernelSchedule& schedule) {
  return schedule.stages - 1 - schedule.products_in_flight;
}

}  // namespace jute
