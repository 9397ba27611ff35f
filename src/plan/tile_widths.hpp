#pragma once
// Which kernels may take their tiles' columns from the launch, and which columns.
#include <jute/plan/tile_width.hpp>

#include <vector>

#include "plan/broken_rule.hpp"
#include "plan/candidates.hpp"

namespace jute::plan {

/// Columns of a slab, of which every width is a multiple.
inline constexpr int kUnitOfWidths = 16;
/// Slabs of a group: so narrow ones are soon full, and TMA reads each for longer than that.
inline constexpr int kSlabsOfWidths = 4;
/// Barriers of stages: narrow tiles have more stages.
inline constexpr int kStagesOfWidths = 12;

[[nodiscard]] std::vector<int> tile_widths(int widest);

/// Tiles whose columns a launch may give, of the problem as their kernel sees it.
[[nodiscard]] std::vector<GroupTile> tiles_of_any_width(const KernelProblem& problem);
/// What each width of such a tile is expected to take.
[[nodiscard]] std::vector<WidthCost> width_costs(const GroupTile& tile,
                                                 const KernelProblem& problem,
                                                 const DeviceInfo& device);

/// Gives the stages what is left of shared memory.
void widen_ring(GemmStep& step, int most_smem);

[[nodiscard]] Errors width_rules(const GemmStep& step);

}  // namespace jute::plan
