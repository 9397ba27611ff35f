#pragma once
// In what time operands reach an SM, as TMA and the cache bring them.
#include <jute/plan/cost/kernel_cost.hpp>

#include "plan/values/candidates.hpp"
#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

/// What a tile's k-blocks wait for, whatever the problem's M.
[[nodiscard]] FeedCost feed_cost(const Tile& tile, const KernelProblem& problem,
                                 const DeviceInfo& device);

/// Clocks of a k-block in which threads read A as it is stored, and make fragments of it that are
/// scaled; 0 where nothing is.
[[nodiscard]] double clocks_of_conversion(const Tile& tile, const KernelProblem& problem);

/// Clocks of a k-block: until one has come, and what one takes.
struct KBlock {
  double feed = 0, clocks = 0;
};
/// Blocks that read the same lines at the same time share the way; where warps store rows they
/// drift apart. Rows that begin within lines take more of them; blocks of a cluster ask for rows
/// that they share once. Zeros past the edge take longest, where stages hold them.
[[nodiscard]] KBlock k_block_of(const FeedCost& cost, double products, Index m);

/// What rounds of so many blocks wait longer for their first k-tiles. They begin together, and
/// where rows begin at neither whole lines nor their halves the L2 cache is slow to give many the
/// same.
[[nodiscard]] double clocks_of_first_rows(const FeedCost& cost, Index m, double blocks,
                                          double rounds);

/// What no k-block of the tile takes less than, and no long work's factor at the power limit.
[[nodiscard]] double least_k_block(const Tile& tile, const KernelProblem& problem);
[[nodiscard]] double least_power(const Tile& tile);

}  // namespace jute::plan
