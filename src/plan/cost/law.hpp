#pragma once
// One law for what kernels take: what a kernel does, in units that all families share, by the rates
// of a chip and by a few coefficients of its family.
#include <jute/plan/cost/prediction.hpp>
#include <jute/plan/values/family.hpp>

#include <array>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "plan/chip/chip_rates.hpp"

namespace jute::plan {

/// What a kernel does, before its K is cut. Clocks are those that a unit of the chip is busy.
struct Amounts {
  double tiles = 1;     ///< blocks of the grid
  double resident = 1;  ///< blocks that an SM holds at once
  double k_tiles = 1;   ///< along all of K
  // Of a block in a k-tile.
  double products = 0;   ///< clocks of the units that multiply
  double reads = 0;      ///< clocks of shared memory
  double converted = 0;  ///< instructions of warps that make stored elements what is multiplied
  double copies = 0;     ///< instructions of warps that copy, or rows that TMA brings
  double boxes = 0;      ///< clocks in which a thread asks TMA for those of Views
  double warps = 1;      ///< that share all this out
  double ahead = 1;      ///< k-tiles that are asked for before they are waited for
  double elements = 0;   ///< of a block's tile of D
  double parts = 1;      ///< groups of warps that share out K and add their sums
  double begin = 1;      ///< of a launch, what is felt: few loads begin beside the kernel before
  double memory = 0;     ///< clocks of memory or of the L2 cache, whichever takes longer
  bool operator==(const Amounts&) const = default;
};

/// The names of the families that the law speaks of.
[[nodiscard]] std::vector<std::string> law_families();

/// How the amounts of a family weigh, by the bytes of an element of A or B.
struct Coefficients {
  Family family;
  int width;
  double launch;   ///< times the chip's gap between launches
  double product;  ///< of clocks that products keep their unit busy; never below the row's rate
  double read;     ///< of clocks of shared memory
  double copy;     ///< clocks of an SM for each
  double turn;   ///< clocks of a block in each k-tile, of waiting for each other, or for what comes
  double end;    ///< times the chip's start of a block: of one, until the next has its place
  double store;  ///< clocks of an SM for 128 elements of D
  double sum;    ///< clocks for 128 sums of a slice that are added
};
/// All that there are, written by bench/fit.py.
[[nodiscard]] const std::vector<Coefficients>& coefficients();
/// Those of the family for elements of so many bytes: of the nearest width that was timed on the
/// device itself, else of the table's nearest.
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

/// Slices of K, and the tiles that they leave whole, ahead of those that are cut.
struct TileCut {
  int split_k = 1;
  Index whole_tiles = 0;
};

/// What the kernel takes with K so cut. What SMs issue, what each block waits for in
/// turn and what memory moves go on at the same time: together they take the fourth root of the sum
/// of their fourth powers. Beyond `limit` no more is sure than that.
[[nodiscard]] Prediction by_law(const Amounts& amounts, const TileCut& cut, const Coefficients& of,
                                const ChipRates& rates,
                                double limit = std::numeric_limits<double>::infinity());

}  // namespace jute::plan
