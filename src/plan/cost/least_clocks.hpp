#pragma once
// Least clocks of kernels of warpgroups: cheap, to leave out what cannot be among the best.
#include <jute/plan/cost/kernel_cost.hpp>
#include <jute/plan/values/block.hpp>

#include "plan/chip/chip_rates.hpp"
#include "plan/cost/memory_cost.hpp"

namespace jute::plan {

/// Bounds of tiles of a shape and cluster, however they are cut.
class LeastClocks {
 public:
  /// Takes a Block that says how D leaves if a launch says how it is cut. All must outlive it.
  LeastClocks(const Block& block, const Grid& grid, const ChipRates& rates);

  /// In whatever clusters, in as many slices of K or fewer, where these meet in the workspace or as
  /// is said.
  [[nodiscard]] double in_any_split_k(int most_slices, SplitK reduction) const;
  /// Cut so, whatever D's end takes.
  [[nodiscard]] double but_for_end(const Cut& cut) const;
  /// And where D leaves as the Block says.
  [[nodiscard]] double operator()(const Block& block, const Cut& cut) const;

 private:
  [[nodiscard]] double end_of(const Block& block, const Cut& cut) const;
  [[nodiscard]] double reduction_of(const Cut& cut) const;
  [[nodiscard]] double of_slices(int split_k, bool is_known, double end, const Traffic& traffic,
                                 double reduction) const;

  const Block& block_;
  const Grid& grid_;
  const ChipRates& rates_;
  double rounds_, begin_, k_blocks_, k_block_, power_;
  Traffic traffic_;  ///< in however many slices
};

/// Rounds of blocks, and clocks that these take at least.
struct Bound {
  double rounds, clocks;
};
[[nodiscard]] Bound least_of_rounds(const KernelCost& cost, const Grid& grid);

}  // namespace jute::plan
