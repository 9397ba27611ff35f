#pragma once
// The short lists of tiles that many problems share, so that few kernels serve them all.
#include <span>
#include <vector>

#include "plan/values/candidates.hpp"
#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

/// Rows of tiles along M that run together wherever a generic kernel walks.
inline constexpr int kGenericRasterWidth = 8;
/// Most k-tiles in shared memory: more leave the next kernel no room to begin.
inline constexpr int kGenericStages = 8;
/// The part of the clocks of a tile earlier in the list that a kernel of its own must save, to be
/// one of the list. bench/results/2026-11-22-kernels-shared.md.
inline constexpr double kWorthOfGroups = 0.06, kWorthOfStraight = 0.05;
/// A tile of a producer and consumers, in clusters that launches give.
struct SharedTile {
  int m, n;
  int ping_pong = 1;
  bool swapped = false;
};
/// Shared tiles for D as it lies.
[[nodiscard]] std::span<const SharedTile> shared_group_tiles(const KernelProblem& problem);
/// Shared tiles of warps that load their own fragments.
[[nodiscard]] std::span<const Tile> shared_straight_tiles();
/// Is it one that lanes share out the stream for?
[[nodiscard]] bool is_generic_dot(const Tile& tile);

/// The problem with parameters for literals, and what these are multiples of.
[[nodiscard]] KernelProblem with_shared_numbers(KernelProblem problem);
/// Keeps of what a step's numbers are multiples no more than what its accesses rest on: all that
/// its text says of them.
void keep_needed_multiples(GemmStep& step);

}  // namespace jute::plan
