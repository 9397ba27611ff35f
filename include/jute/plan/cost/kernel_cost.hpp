#pragma once
// A kernel as prices see it, before the rows and the number of matrices are known.
#include <jute/base/export.hpp>
#include <jute/plan/chip/chip_rates.hpp>
#include <jute/plan/cost/prediction.hpp>
#include <jute/plan/values/block.hpp>
#include <jute/plan/values/family.hpp>

namespace JUTE_API jute {

/// How the amounts of a family weigh, by the bytes of an element of A or B.
struct Coefficients {
  Family family = Family::warpgroups;
  int width = 0;
  double launch = 0;   ///< times the chip's gap between launches
  double product = 0;  ///< of clocks that products keep their unit busy; never below the row's rate
  double read = 0;     ///< of clocks of shared memory
  double copy = 0;     ///< clocks of an SM for each
  double turn = 0;     ///< clocks of a block in each k-tile, of waiting for each other or for loads
  double end = 0;      ///< times the chip's start of a block: of one, until the next has its place
  double store = 0;    ///< clocks of an SM for 128 elements of D
  double sum = 0;      ///< clocks for 128 sums of a slice that are added
  bool operator==(const Coefficients&) const = default;
};

/// The part of a price that all tiles of a family have in common for a problem: found once, as they
/// are many.
struct FamilyLaw {
  ChipRates rates;
  Coefficients of;
  bool operator==(const FamilyLaw&) const = default;
};

/// The bytes that copies of operands move ahead of the kernel: for a row of A, for B.
struct MovedBytes {
  double row = 0, other = 0;
  bool operator==(const MovedBytes&) const = default;
};

/// All that a prediction needs but the rows and the number of matrices; for each number of them it
/// then takes less than a microsecond.
struct KernelCost {
  Block block;
  Grid grid;  ///< of a run as it was planned
  Cut cut;
  FamilyLaw law;
  MovedBytes moved;

  [[nodiscard]] Prediction at(Index m, Index batch) const;
  bool operator==(const KernelCost&) const = default;
};

}  // namespace jute
