#pragma once
// How many elements one access of a thread moves.
#include <jute/layout/swizzle.hpp>
#include <jute/plan/values/operand_plan.hpp>

namespace jute::plan {

/// The largest power of two w ≤ limit such that every group of w values in a row, in every thread,
/// is w neighbouring elements of `memory` of which the first lies at a multiple of w.
///   shapes  tv: (thread, value) -> one-dimensional coordinate of `memory`
/// 1 where a mode of tv straddles one of the memory's layout.
[[nodiscard]] int widest_vector(const ComposedLayout& memory, const Layout& tv, int limit);

/// Are accesses as long as cp.async asks for? A layout may leave too short runs in shared memory.
[[nodiscard]] bool is_async_sized(const OperandPlan& operand);

}  // namespace jute::plan
