#pragma once
// Rates of a chip that predictions ask for: of all SMs where many share something.
#include <jute/base/export.hpp>

namespace JUTE_API jute {

struct ChipRates {
  double sms = 1;
  double memory_bytes = 1;  ///< of memory in a clock, as kernels read it
  double sheet_bytes = 1;   ///< bytes of memory in a clock, as its data sheet says: none reads more
  double memory_beside = 1;  ///< memory's rate beside that of the H200 on which constants are times
  double l2_bytes = 1;       ///< out of the L2 cache to all SMs, likewise
  double smem_bytes = 1;     ///< of an SM
  double issue_slots = 1;    ///< instructions of warps that an SM starts in a clock
  double load_latency = 0;   ///< clocks
  double launch_gap = 0, block_start = 0;
  /// Clocks of predictions for those that pass where threads multiply: predictions count at the
  /// clock under load, and units that take no power run at the highest.
  double of_fastest_clock = 1;
  double tma_issue = 0;  ///< clocks in which a thread asks TMA for a box
  // An SM's resources, for all of its blocks.
  double smem_of_sm = 0, threads_of_sm = 0, registers_of_sm = 0;
  double multiply_adds = 1;  ///< of an SM in a clock, by the instruction that multiplies
  bool operator==(const ChipRates&) const = default;
};

}  // namespace jute
