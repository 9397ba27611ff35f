#pragma once
// The row of the table of chips that a device is planned by, where it lies.
#include <jute/launch/device_info.hpp>
#include <jute/plan/chip/chip_figures.hpp>

namespace jute::plan {

/// The device's own, else the first of its architecture, or of the one before: as `chip_figures`
/// says, but with the figures as that chip has them.
[[nodiscard]] const ChipFigures& nearest_row(const DeviceInfo& device);

}  // namespace jute::plan
