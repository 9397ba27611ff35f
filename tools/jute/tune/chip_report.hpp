#pragma once
// A chip's row as it was measured: what it says, what nobody could measure, where it is kept.
#include <jute/launch/device_info.hpp>

#include <string>
#include <vector>

#include "files/json_writer.hpp"

namespace jute::tuning {

struct ChipReport {
  DeviceInfo device;  ///< with what is kept of it
  std::vector<OwnFigure> measured = {};
  std::string file = {};  ///< empty: nothing was kept
  std::string why = {};   ///< what is not measured is not: "the emulator takes no time"
};

/// The figures of the table that nobody measured, which stay as the row has them.
[[nodiscard]] std::vector<std::string> not_measured(const ChipReport& report);
/// The row as src/plan/chip/rates.cpp has it, with what was measured in its place.
[[nodiscard]] std::string row_text(const ChipReport& report);
[[nodiscard]] std::string to_text(const ChipReport& report);
[[nodiscard]] Json to_json(const ChipReport& report);

}  // namespace jute::tuning
