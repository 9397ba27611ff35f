#pragma once
// What kernels that bring tiles to shared memory do, as the law of predictions asks.
#include <jute/plan/values/work.hpp>

#include "plan/cost/law.hpp"
#include "plan/values/candidates.hpp"
#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

/// What all tiles of a family have in common for a problem: found once, as they are many.
struct FamilyLaw {
  ChipRates rates;
  Coefficients of;
  double multiply_adds = 1;  ///< of an SM in a clock
};
[[nodiscard]] FamilyLaw law_of(Family family, MmaForm form, const KernelProblem& problem,
                               const DeviceInfo& device);

/// Blocks, k-tiles, products and what memory moves, of a block a tile: alike in all families.
[[nodiscard]] Amounts amounts_of_tile(const TileShape& tile, const KernelProblem& problem,
                                      const FamilyLaw& law);
[[nodiscard]] Amounts amounts_of(const WarpTileWork& work, const KernelProblem& problem,
                                 const DeviceInfo& device, const FamilyLaw& law);
[[nodiscard]] Amounts amounts_of(const WarpGroupWork& work, const KernelProblem& problem,
                                 const DeviceInfo& device, const FamilyLaw& law);
[[nodiscard]] Amounts amounts_of(const ThreadTileWork& work, const KernelProblem& problem,
                                 const DeviceInfo& device, const FamilyLaw& law);
[[nodiscard]] Amounts amounts_of(const ThreadGroupWork& work, const KernelProblem& problem,
                                 const DeviceInfo& device, const FamilyLaw& law);

}  // namespace jute::plan
