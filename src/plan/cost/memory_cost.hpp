#pragma once
// What memory moves for a kernel, and in what time.
#include <jute/plan/cost/kernel_cost.hpp>

#include "plan/cost/rounds.hpp"
#include "plan/values/candidates.hpp"
#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

/// What a tile has memory move for each row of the problem, and in a clock.
[[nodiscard]] MemoryCost memory_cost(const Tile& tile, const KernelProblem& problem,
                                     const DeviceInfo& device, const TileGrid& grid);

/// Clocks of memory: for what the problem has, and for rows past its edge.
struct MemoryClocks {
  double needed = 0, past_the_edge = 0;
  bool in_pairs = false;  ///< do two blocks each, and no more, read rows of the larger operand?
};
[[nodiscard]] MemoryClocks memory_clocks(const KernelCost& cost, Index m, Index batch,
                                         const Rounds& rounds);

/// Bytes that are moved at `rate` in a clock.
struct Traffic {
  double bytes = 0, rate = 1;
};
/// Clocks that it takes for so many blocks.
[[nodiscard]] double clocks_of(const Traffic& traffic, double blocks);
/// The least that memory moves for all matrices, at most as fast: of a tile in whatever clusters,
/// and with `kSplitKAtRunTime` in however many slices. What the problem alone says of it is found
/// once.
class LeastTraffic {
 public:
  /// The problem must outlive it.
  LeastTraffic(const KernelProblem& problem, const DeviceInfo& device);
  [[nodiscard]] Traffic operator()(const Tile& tile) const;

 private:
  const KernelProblem& problem_;
  double rate_;
  double again_a_, again_b_;  // of rows that several tiles read
  double row_bytes_, d_bytes_;
};

}  // namespace jute::plan
