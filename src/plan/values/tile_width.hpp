#pragma once
// Widths that launches may give tiles, and the stages that each of them leaves room for.
#include <jute/plan/values/plan.hpp>

#include <jute/plan/values/tile_width.hpp>
#include <vector>

namespace jute::plan {

/// Every width is a multiple of the columns that instructions come with.
inline constexpr int kUnitOfWidths = 8;
/// Subtiles of a group: while TMA reads one, the other is filled.
inline constexpr int kSubtilesOfWidths = 2;
/// Barriers of stages: narrow tiles have more stages.
inline constexpr int kStagesOfWidths = 12;
inline constexpr int kGroupRows = 64;      ///< of an instruction
inline constexpr int kMostOfSubtile = 64;  ///< columns
inline constexpr Index kRingUnit = 1024;   ///< bytes: of every swizzle's span a multiple

/// Widths of tiles of so many rows. Tiles of fewer rows do for those narrower than half of the
/// widest.
[[nodiscard]] std::vector<int> tile_widths(int rows, int widest);
/// Columns of a subtile, a part of the widest tile.
[[nodiscard]] int subtile_of_widths(int widest);

/// Stages that so many bytes hold.
[[nodiscard]] int stages_in(Index ring_bytes, Index stage_bytes);
/// Bytes of all stages; 0 where the step has none.
[[nodiscard]] Index ring_bytes(const GemmStep& step);

}  // namespace jute::plan
