#pragma once
// What predictions ask of a chip, by its row and its device: rates of all SMs where many share
// something.
#include <jute/base/types.hpp>
#include <jute/launch/device_info.hpp>
#include <jute/plan/chip/chip_figures.hpp>

namespace jute::plan {

struct ChipRates {
  double sms = 1;
  double memory_bytes = 1;  ///< of memory in a clock, as kernels read it
  double sheet_bytes = 1;   ///< likewise, as its data sheet says: none reads more
  double l2_bytes = 1;      ///< out of the L2 cache to all SMs, likewise
  double smem_bytes = 1;    ///< of an SM
  double issue_slots = 1;   ///< instructions of warps that an SM starts in a clock
  double load_latency = 0;  ///< clocks
  double launch_gap = 0, block_start = 0;
  /// Clocks of predictions for those that pass where threads multiply: predictions count at the
  /// clock under load, and units that take no power run at the highest.
  double of_fastest_clock = 1;
  double tma_issue = 0;  ///< clocks in which a thread asks TMA for a box
  // Of an SM, for all of its blocks.
  double smem_of_sm = 0, threads_of_sm = 0, registers_of_sm = 0;
  double multiply_adds = 1;  ///< of an SM in a clock, by the instruction that multiplies
};
[[nodiscard]] ChipRates chip_rates(const DeviceInfo& device);

/// Multiply-adds of an SM in a clock by instructions of a form. Where the chip has none for
/// elements of a byte they are converted to halves first, and what it multiplies in no other way
/// threads do.
[[nodiscard]] double multiply_adds(const DeviceInfo& device, MmaForm form, DType operand,
                                   DType accumulate);

/// Bytes that the chip's memory moves in a clock, as kernels read it.
[[nodiscard]] double memory_rate(const DeviceInfo& device);
/// As its data sheet says, beside those of the H200 on which models' constants are times: 1 there.
[[nodiscard]] double memory_beside_fitted(const DeviceInfo& device);

}  // namespace jute::plan
