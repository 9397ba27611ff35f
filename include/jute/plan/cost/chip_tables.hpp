#pragma once
// Facts of one very chip, as text: figures in place of its row's, coefficients of the law.
#include <jute/base/export.hpp>
#include <jute/launch/device_info.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace JUTE_API jute {

/// As a file beside what `jute tune` keeps holds them, lines of words between tabs:
///   jute-chip 1
///   device NVIDIA L4 sm_89 58 SMs
///   figure        memory_seen_gb_s  258  measured 2026-11-29: loops that read
///   coefficients  warps_async  2  launch=1.02 product=0.869 … sum=7.81
struct ChipTables {
  std::vector<OwnFigure> figures;
  std::vector<OwnCoefficients> coefficients;
  bool operator==(const ChipTables&) const = default;
};

/// Reads a whole text for the device. Figures and families have the names of `jute chips` and of
/// the law, each once; numbers are finite and above 0, figures 0 where a chip may lack the thing.
/// What kernels see of clock and memory is no more than the data sheet's.
///   throws  bad_file: every line that breaks a rule, by its number and field
[[nodiscard]] ChipTables parse_chip_tables(std::string_view text, const DeviceInfo& device);
[[nodiscard]] std::string to_string(const ChipTables& tables, const DeviceInfo& device);

/// The device that the text is of: limits as the preset of its name has them, else the first of its
/// architecture; its name and SMs as the text says, with the tables of the text.
///   throws  bad_file
[[nodiscard]] DeviceInfo device_of_chip_text(std::string_view text);
/// A chip to plan for: a preset's name, `l4`; `sm_80`, of the one that stands for an architecture;
/// or the whole text of a file as above.
///   throws  unknown_name; bad_file
[[nodiscard]] DeviceInfo parse_chip(std::string_view text);
/// The device with these tables.
[[nodiscard]] DeviceInfo with_tables(DeviceInfo device, ChipTables tables);
/// The tables that a device has.
[[nodiscard]] ChipTables tables_of(const DeviceInfo& device);

}  // namespace jute
