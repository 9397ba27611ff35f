#pragma once
// What a chip can do at most, by its vendor's data sheet: what expected times are held against.
#include <jute/atom/atom.hpp>
#include <jute/base/export.hpp>
#include <jute/launch/device_info.hpp>

#include <optional>
#include <string_view>

namespace JUTE_API jute {

/// One chip. Rates are multiply-adds that one SM does in a clock, dense, into sums of the usual
/// type (f32, s32, f64); 0: it has no such units.
struct ChipFigures {
  std::string_view chip;  ///< the preset's name
  int arch = 0;
  // SM clocks: of the data sheet's rates of tensor cores, of threads; and at which tensor cores are
  // seen to work, which the power limit decides. Where nothing was measured that is the first.
  double mhz = 0, thread_mhz = 0, seen_mhz = 0;
  double memory_gb_s = 0;  ///< 1e9 bytes a second of the device's memory
  // Of tensor cores, by the operands: f16 and bf16, tf32, 8-bit integers, 8-bit floats, f64.
  double halves = 0, words = 0, integers = 0, bytes = 0, doubles = 0;
  // Of threads, by the sums: f32 and f16, f64. Integers as whole words: 64 on every chip.
  double thread_singles = 0, thread_doubles = 0;
};

/// Those of the chip whose name the device's holds, else of the first one of its architecture:
/// "NVIDIA H100 80GB HBM3" is an h100.
[[nodiscard]] const ChipFigures& chip_figures(const DeviceInfo& device);

/// Multiply-adds that an SM does at most in a clock: of tensor cores by the operands' type, of
/// threads (fma) by the sums'. Nothing where the chip has no such units.
[[nodiscard]] std::optional<double> greatest_rate(const ChipFigures& chip, MmaForm form,
                                                  DType operand, DType accumulate);

}  // namespace jute
