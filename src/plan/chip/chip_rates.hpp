#pragma once
// Rates of a chip by its row and its device.
#include <jute/launch/device_info.hpp>
#include <jute/plan/chip/chip_figures.hpp>
#include <jute/plan/chip/chip_rates.hpp>

namespace jute::plan {

[[nodiscard]] ChipRates chip_rates(const DeviceInfo& device);

/// Multiply-adds of an SM in a clock by instructions of a form. Where the chip has none for
/// elements of a byte they are converted to halves first, and what it multiplies in no other way
/// threads do.
[[nodiscard]] double multiply_adds(const DeviceInfo& device, MmaForm form, DType operand,
                                   DType accumulate);

}  // namespace jute::plan
