#pragma once
// One law for what kernels take: what a block does, in counts that all families share, by the rates
// of a chip and by a few coefficients of its family.
#include <jute/atom/atom.hpp>
#include <jute/plan/cost/kernel_cost.hpp>
#include <jute/plan/cost/prediction.hpp>
#include <jute/plan/values/block.hpp>
#include <jute/plan/values/family.hpp>

#include <array>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "plan/chip/chip_rates.hpp"

namespace jute::plan {

/// The names of the families that the law speaks of.
[[nodiscard]] std::vector<std::string> law_families();

/// All that there are, written by bench/fit.py.
[[nodiscard]] const std::vector<Coefficients>& coefficients();
/// Coefficients of the family for elements of so many bytes: of the nearest width that was timed on
/// the device itself, else of the table's nearest.
[[nodiscard]] Coefficients coefficients_of(Family family, int width, const DeviceInfo& device);

/// A column of the table by its name.
struct CoefficientField {
  std::string_view name;
  double Coefficients::*value;
};
inline constexpr std::array<CoefficientField, 8> kCoefficientFields{
    {{"launch", &Coefficients::launch},
     {"product", &Coefficients::product},
     {"read", &Coefficients::read},
     {"copy", &Coefficients::copy},
     {"turn", &Coefficients::turn},
     {"end", &Coefficients::end},
     {"store", &Coefficients::store},
     {"sum", &Coefficients::sum}}};
/// All of a row, in that order.
[[nodiscard]] std::vector<double> values_of(const Coefficients& of);

/// By instructions of the form, of such operands.
[[nodiscard]] FamilyLaw law_of(Family family, MmaForm form, DType operand, DType accumulate,
                               const DeviceInfo& device);

/// Blocks that an SM has room for, which shares out memory, threads and registers.
[[nodiscard]] double resident_blocks(const Block& block, const ChipRates& rates);

/// Clocks that a block's units are busy for a k-tile, and memory for the whole kernel.
struct Busy {
  double resident = 1;  ///< blocks that an SM holds at once
  double products = 0;  ///< of the units that multiply
  double reads = 0;     ///< of shared memory
  double begin = 1;     ///< of a launch, what is felt: few loads begin beside the kernel before
  double memory = 0;    ///< of memory or of the L2 cache, whichever takes longer
};
[[nodiscard]] Busy busy_of(const Block& block, const Grid& grid, const ChipRates& rates);

/// The clocks of the kernel with K so cut. What SMs issue, what each block waits for in turn and
/// what memory moves go on at the same time: together they take the fourth root of the sum of their
/// fourth powers. Beyond `limit` no more is sure than that.
[[nodiscard]] Prediction clocks(const Block& block, const Grid& grid, const Cut& cut,
                                const ChipRates& rates, const Coefficients& of,
                                double limit = std::numeric_limits<double>::infinity());

/// The same of one block in one grid, cut in many ways, but for warpgroups: what no cut changes is
/// found once.
class ClocksOfCuts {
 public:
  /// All must outlive it.
  ClocksOfCuts(const Block& block, const Grid& grid, const ChipRates& rates, const Coefficients& of)
      : block_(block), grid_(grid), rates_(rates), of_(of), busy_(busy_of(block, grid, rates)) {}
  [[nodiscard]] Prediction operator()(const Cut& cut,
                                      double limit = std::numeric_limits<double>::infinity()) const;
  [[nodiscard]] double resident() const { return busy_.resident; }

 private:
  const Block& block_;
  const Grid& grid_;
  const ChipRates& rates_;
  const Coefficients& of_;
  Busy busy_;
};

}  // namespace jute::plan
