#pragma once
// Which kernels may take their tiles' columns from the launch, which columns, and which slices of
// K.
#include <jute/plan/values/tile_width.hpp>

#include <vector>

#include "plan/ask/broken_rule.hpp"
#include "plan/values/candidates.hpp"

namespace jute::plan {

/// Every width is a multiple of the columns that instructions come with.
inline constexpr int kUnitOfWidths = 8;
/// Slabs of a group: while TMA reads one, the other is filled.
inline constexpr int kSlabsOfWidths = 2;
/// Barriers of stages: narrow tiles have more stages.
inline constexpr int kStagesOfWidths = 12;

/// Widths of tiles of so many rows. Tiles of fewer rows do for those narrower than half of the
/// widest.
[[nodiscard]] std::vector<int> tile_widths(int rows, int widest);
/// Columns of a slab, a part of the widest tile.
[[nodiscard]] int slab_of_widths(int widest);

/// Tiles whose columns a launch may give, of the problem as their kernel sees it.
[[nodiscard]] std::vector<GroupTile> tiles_of_any_width(const KernelProblem& problem);
/// What each width of such a tile is expected to take, in each number of slices.
[[nodiscard]] std::vector<WidthCost> width_costs(const GroupTile& tile,
                                                 const KernelProblem& problem,
                                                 const DeviceInfo& device);

/// Gives the stages what is left of shared memory.
void widen_ring(GemmStep& step, int most_smem);

[[nodiscard]] Errors width_rules(const GemmStep& step);

}  // namespace jute::plan
