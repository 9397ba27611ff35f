#pragma once
// Slices of K that are worth a look.
#include <algorithm>
#include <optional>
#include <span>

#include "plan/values/candidates.hpp"
#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

/// Into how many slices the tile may be cut so that all run together, each with k-tiles to fill its
/// stages.
[[nodiscard]] int most_slices(const Tile& tile, const KernelProblem& problem,
                              const DeviceInfo& device, const std::optional<SplitK>& asked);

/// Into how many slices K may be cut so that each is long enough to pay for its sums, and the L2
/// cache holds those of all slices.
[[nodiscard]] int slices_within_cache(const TileShape& tile, const KernelProblem& problem,
                                      const DeviceInfo& device);

/// Who may add the sums of the tile's slices, unless one is asked for.
[[nodiscard]] std::span<const SplitK> reductions_of(const Tile& tile, const KernelProblem& problem,
                                                    const DeviceInfo& device,
                                                    const std::optional<SplitK>& asked);

/// Visits the tile whole, and cut into slices: by everyone who may add their sums, or by whom is
/// `asked` for.
template <class Visit>
void for_slices(const Tile& tile, const KernelProblem& problem, const DeviceInfo& device,
                const std::optional<SplitK>& asked, const Visit& visit) {
  const int most = most_slices(tile, problem, device, asked);
  if (most < 2 || asked.value_or(SplitK::last_adds) == SplitK::last_adds) visit(tile);
  const auto visit_all = [&](int count) {
    Tile cut = tile;
    cut.split_k = count;
    for (const SplitK reduction : reductions_of(cut, problem, device, asked)) {
      cut.reduction = reduction;
      visit(cut);
    }
  };
  int last = 1;
  for (int count = 2; count <= most; count += std::max(1, count / 4)) visit_all(last = count);
  if (most > last) visit_all(most);
}

}  // namespace jute::plan
