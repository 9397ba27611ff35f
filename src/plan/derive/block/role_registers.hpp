#pragma once
// How a block's registers are shared out among its roles.
#include <jute/plan/values/plan.hpp>

namespace jute::plan {

/// Registers of a thread by role, in units of eight and by groups of four warps; 0 where none are
/// exchanged. One group of consumers has all that a thread can name without that, and a producer of
/// one warp has none to give.
struct RoleRegisters {
  int consumer = 0, producer = 0;
};
/// `registers`: of the SM, for a block.
[[nodiscard]] RoleRegisters role_registers(const GemmStep& step, int consumer_warps,
                                           int producer_warps, int registers);

}  // namespace jute::plan
