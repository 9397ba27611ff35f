// Figures of vendors' data sheets and whitepapers, a chip a row.
#include <jute/plan/chip/chip_figures.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace jute {
namespace {

// The first row of an architecture stands for it. Of GeForce chips the rates into sums of f32.
// clang-format off
constexpr std::array kChips{
//           chip      arch   MHz, of threads, seen    GB/s   f16  tf32    s8   fp8  f64  f32 f64 of threads
ChipFigures{"v100",     70,  1530, 1530, 1530,    900,    512,    0,    0,    0,    0,  64,  32},
ChipFigures{"t4",       75,  1590, 1590, 1590,    320,    512,    0, 1024,    0,    0,  64,   2},
ChipFigures{"a100",     80,  1410, 1410, 1410,   2039,   1024,  512, 2048,    0,   64,  64,  32},
ChipFigures{"rtx3090",  86,  1695, 1695, 1695,    936,    256,  128, 1024,    0,    0, 128,   2},
ChipFigures{"orin",     87,  1300, 1300, 1300,    204.8, 1024,  512, 2048,    0,    0, 128,   2},
ChipFigures{"l40s",     89,  2520, 2520, 2520,    864,    512,  256, 1024, 1024,    0, 128,   2},
ChipFigures{"rtx4090",  89,  2520, 2520, 2520,   1008,    256,  128, 1024,  512,    0, 128,   2},
ChipFigures{"h200",     90,  1830, 1980, 1720,   4800,   2048, 1024, 4096, 4096,  128, 128,  64},
ChipFigures{"h100",     90,  1830, 1980, 1720,   3350,   2048, 1024, 4096, 4096,  128, 128,  64},
ChipFigures{"b200",    100,  1850, 1850, 1850,   8000,   4096, 2048, 8192, 8192,   64, 128,  64},
ChipFigures{"rtx5090", 120,  2407, 2407, 2407,   1792,    256,  128, 1024,  512,    0, 128,   2},
};
// clang-format on
constexpr double kThreadIntegers = 64;

/// Small letters without blanks: the driver's "NVIDIA GeForce RTX 3090" holds rtx3090.
std::string plain(std::string_view name) {
  std::string text;
  for (const char c : name)
    if (c != ' ') text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

double rate_of_tensor_cores(const ChipFigures& chip, DType operand) {
  switch (operand) {
    case DType::f16:
    case DType::bf16:
      return chip.halves;
    case DType::tf32:
      return chip.words;
    case DType::e4m3:
    case DType::e5m2:
      return chip.bytes;
    case DType::s8:
    case DType::u8:
      return chip.integers;
    case DType::f64:
      return chip.doubles;
    case DType::f32:
    case DType::s32:
      break;
  }
  return 0;
}

double rate_of_threads(const ChipFigures& chip, DType accumulate) {
  if (is_integer(accumulate)) return kThreadIntegers;
  return accumulate == DType::f64 ? chip.thread_doubles : chip.thread_singles;
}

}  // namespace

const ChipFigures& chip_figures(const DeviceInfo& device) {
  const std::string name = plain(device.name);
  const auto is_of_arch = [&](const ChipFigures& row) { return row.arch == device.arch.number; };
  const auto named = std::ranges::find_if(kChips, [&](const ChipFigures& row) {
    return is_of_arch(row) && name.find(row.chip) != std::string::npos;
  });
  if (named != kChips.end()) return *named;
  const auto first = std::ranges::find_if(kChips, is_of_arch);
  if (first != kChips.end()) return *first;
  // An architecture without a row: the one before it.
  const auto later = std::ranges::find_if(
      kChips, [&](const ChipFigures& row) { return row.arch > device.arch.number; });
  return later == kChips.begin() ? kChips.front() : *std::prev(later);
}

std::optional<double> greatest_rate(const ChipFigures& chip, MmaForm form, DType operand,
                                    DType accumulate) {
  const double rate = form == MmaForm::fma ? rate_of_threads(chip, accumulate)
                                           : rate_of_tensor_cores(chip, operand);
  return rate > 0 ? std::optional(rate) : std::nullopt;
}

}  // namespace jute
