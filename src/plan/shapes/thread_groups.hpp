#pragma once
// Tiles of warps whose threads multiply by themselves what a producer loads.
#include <jute/plan/values/block.hpp>

#include "plan/chip/line.hpp"
#include "plan/values/candidates.hpp"
#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

/// bench/results/2026-11-27-f32-by-threads.md.
inline constexpr int kThreadGroupStages = 6;

[[nodiscard]] Block thread_group_block(const Tile& tile, const KernelProblem& problem);
/// The tile with warps along M and N with which each thread has the fewest rows and columns to
/// read.
[[nodiscard]] Tile thread_group_tile(int m, int n);

/// Warps of so many threads along M (mode 0) or N (mode 1).
[[nodiscard]] int groups_of_threads(int threads, int mode);

/// Does the chip suit them?
[[nodiscard]] bool suits_thread_groups(const DeviceInfo& device);

/// Calls `look` with the extents of every sensible tile: of two that take as long first with those
/// that store longer rows of D.
template <class Look>
void for_thread_groups(const KernelProblem& problem, const DeviceInfo& device, const Look& look) {
  // bench/results/2026-11-27-f32-by-threads.md.
  constexpr int kMostExtent = 128, kLeastExtent = 16, kFewestStages = 3;
  constexpr Index kLeastElements = 16 * 64;  // of a tile
  // A smaller tile, if there is one, has no more blocks.
  const auto is_too_wide = [](int extent, int other, Index own) {
    return extent > kLeastExtent && Index{extent} * other > kLeastElements &&
           extent >= 2 * std::max<Index>(own, 1);
  };
  for (int n = kMostExtent; n >= kLeastExtent; n /= 2)
    for (int m = kLeastExtent; m <= kMostExtent; m *= 2)
      if (Index{m} * n >= kLeastElements && !is_too_wide(m, n, problem.m.value) &&
          !is_too_wide(n, m, problem.n.value) &&
          kFewestStages * (m + n) * kLine <= device.smem_bytes_per_block)
        look(m, n);
}

}  // namespace jute::plan
