// Early starts by what they were measured to save and to cost on an H200.
#include "plan/cost/release.hpp"

#include <jute/base/checked.hpp>

#include <algorithm>

#include "plan/cost/fitted.hpp"
#include "plan/cost/room.hpp"
#include "plan/cost/rounds.hpp"
#include "plan/values/tile_counts.hpp"

namespace jute::plan {
namespace {

/// Part of all tiles in a row that the last one is, if it is much shorter than they.
double short_part(Index extent, Index tile) {
  const Index tiles = ceil_div(std::max<Index>(extent, 1), tile);
  const auto last = static_cast<double>(extent - (tiles - 1) * tile);
  return last < fitted::kShortTile * static_cast<double>(tile) ? 1 / static_cast<double>(tiles) : 0;
}

bool end_in_order(const KernelCost& cost, Index m) {
  if (!cost.feed || cost.feed->whole_lines == 0 || cost.parts.k_blocks > fitted::kFewKBlocks)
    return false;
  const FeedSide& columns = cost.feed->columns;
  return short_part(m, cost.grid.tile_rows) + short_part(columns.extent, columns.tile) <=
         fitted::kFewShort;
}

}  // namespace

bool begins_early(const KernelCost& cost, Index m, Index batch, double clocks) {
  const TileGrid& grid = cost.grid;
  if (grid.co_resident > 1) return true;  // room is free as soon as one of an SM's blocks has ended
  if (clocks >= fitted::kSoon) return false;
  const auto tiles = static_cast<double>(ceil_div(std::max<Index>(m, 1), grid.tile_rows)),
             across = static_cast<double>(grid.tiles_across), matrices = static_cast<double>(batch);
  const double blocks = tiles * across * matrices;
  // Slices wait for each other, and blocks that walk lose their order soon.
  if (grid.split_k > 1 || blocks > blocks_together(grid)) return true;
  if (grid.cluster > 1) return false;
  const double shared = matrices * (static_cast<double>(m) * cost.memory.k_bytes * (across - 1) +
                                    cost.memory.other_bytes * (tiles - 1));
  return has_co_resident_room(blocks, blocks_together(grid), false) ||
         shared <= fitted::kSharedBytes || end_in_order(cost, m);
}

double clocks_without_room(const KernelCost& cost, double blocks, double waves) {
  const TileGrid& grid = cost.grid;
  if (grid.co_resident > 1 || waves > 1) return 0;  // blocks that walk end one by one
  const double sms = blocks_together(grid);
  if (has_co_resident_room(blocks, sms, grid.leaves_half)) return 0;
  return fitted::kLateOfKBlock *
             std::clamp(cost.parts.k_blocks - fitted::kWaitedFor, 0.0, fitted::kMostKBlocks) +
         (are_kept_apart(blocks, sms) || grid.split_k > 1 ? 0 : fitted::kLateOfFew);
}

double clocks_of_late_start(double clocks) {
  return std::clamp(fitted::kSoon - clocks, 0.0, fitted::kLate);
}

Release release_for(double blocks, const DeviceInfo& device) {
  return blocks <= device.sm_count ? Release::at_start : Release::after_main_loop;
}

}  // namespace jute::plan
