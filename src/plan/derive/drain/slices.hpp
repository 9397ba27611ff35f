#pragma once
// Slices of K: what blocks that share a tile leave for each other.
#include <jute/plan/ask/config.hpp>
#include <jute/plan/values/plan.hpp>

#include <array>

#include "plan/ask/broken_rule.hpp"

namespace jute::plan {

/// Tiles of the grid that slices share out: all, or those behind the ones that they leave whole.
[[nodiscard]] Count tiles_behind_whole(const GemmStep& step);
/// Blocks in a row: one for each whole tile, then those of the slices of the others.
[[nodiscard]] std::array<Count, 3> cut_tail_grid(const GemmStep& step);
/// Tiles to leave whole: as asked, or as many as a tile does that nothing is asked of.
[[nodiscard]] Index wished_whole_tiles(const Config& config, Index usual);

/// The workspace of a sliced step: `arrived` counts the blocks of each tile, `parts` holds their
/// sums in the order of the threads' registers; none for a step that is not sliced.
[[nodiscard]] std::vector<WorkspaceRegion> slice_regions(const GemmStep& step);

[[nodiscard]] Errors slice_rules(const GemmStep& step, const DeviceInfo& device);

}  // namespace jute::plan
