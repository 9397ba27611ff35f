// Figures of vendors' data sheets at the clock that a chip boosts to (V100 and T4, A100, RTX 3090,
// Orin, L40S, B200, RTX 5090), and an H200's as measured.
#include "plan/chip/chip_rates.hpp"

#include <algorithm>
#include <array>

namespace jute::plan {
namespace {

struct ChipRates {
  int arch;        ///< the first that the row is for
  double halves;   ///< multiply-adds of 16-bit operands, by mma.sync, of an SM in a clock
  double doubles;  ///< likewise of f64
  double singles;  ///< of f32, by threads
  double bytes;    ///< of memory, in a clock, for each SM
};
// clang-format off
constexpr std::array kRates{
  ChipRates{  0,  512,   2,  64,  6},
  ChipRates{ 80, 1024,  64,  64, 13},
  ChipRates{ 86,  512,   2, 128,  6},
  ChipRates{ 87, 1024,   2, 128, 10},
  ChipRates{ 89,  512,   2, 128,  3},
  ChipRates{ 90, 1270, 128, 128, 19},
  ChipRates{100, 1270,  64, 128, 28},
  ChipRates{120,  512,   2, 128,  4.5},
};
// clang-format on
constexpr Arch kFitted{90};

const ChipRates& rates_of(Arch arch) {
  return *std::prev(std::ranges::upper_bound(kRates, arch.number, {}, &ChipRates::arch));
}

}  // namespace

double slowness_of_tensor_cores(DType type, Arch arch) {
  const auto rate = type == DType::f64 ? &ChipRates::doubles : &ChipRates::halves;
  return rates_of(kFitted).*rate / rates_of(arch).*rate;
}
double slowness_of_threads(Arch arch) { return rates_of(kFitted).singles / rates_of(arch).singles; }
double memory_rate(const DeviceInfo& device) {
  return rates_of(device.arch).bytes * std::max(device.sm_count, 1);
}

}  // namespace jute::plan
