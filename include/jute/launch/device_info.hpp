#pragma once
// What planning needs to know of a chip. Presets live in plan; a back end reports its own.
#include <jute/base/arch.hpp>
#include <jute/base/export.hpp>
#include <jute/base/types.hpp>

#include <string>
#include <vector>

namespace JUTE_API jute {

/// A number that was found on this very chip, in place of what the table of chips says.
struct OwnFigure {
  std::string name;         ///< `memory_seen_gb_s`, as `figures` names it
  double value = 0;         ///< in that figure's unit
  std::string origin = {};  ///< `measured 2026-11-29: loops that read`
  bool operator==(const OwnFigure&) const = default;
};

/// Coefficients of the law of predictions that were fitted to times of this very chip.
struct OwnCoefficients {
  std::string family;          ///< `warps_async`
  int width = 0;               ///< bytes of an element
  std::vector<double> values;  ///< in the order of the built-in table's columns
  bool operator==(const OwnCoefficients&) const = default;
};

struct DeviceInfo {
  std::string name = {};  ///< preset name or the driver's product name
  Arch arch = {};
  int sm_count = 1;
  int smem_bytes_per_block = 49152;  ///< opt-in maximum
  int smem_bytes_per_sm = 49152;
  int registers_per_sm = 65536;
  int threads_per_sm = 1024;
  Index l2_bytes = 0;
  Index memory_bytes = 0;
  std::vector<OwnFigure> own_figures = {};  ///< what is not in it the chip's row says
  std::vector<OwnCoefficients> own_coefficients = {};
  bool operator==(const DeviceInfo&) const = default;
};
/// The words that tell it from others: `NVIDIA L4 sm_89 58 SMs`.
[[nodiscard]] std::string identity(const DeviceInfo& device);

}  // namespace jute
