// Rates of D's ways out that were measured on an H200.
#include "plan/cost/drain_cost.hpp"

#include <algorithm>

#include "plan/chip/line.hpp"
#include "plan/cost/fitted.hpp"
#include "plan/cost/rounds.hpp"

namespace jute::plan {
namespace {

constexpr double kHalf = 2, kWord = 4;  // bytes of an element

/// Do only subtiles of eight columns, or of all, divide a tile that has no room for the latter?
bool drains_by_steps(const Block& block, const Grid& grid) {
  constexpr int kStep = 8, kWidest = 64, kStages = 4;
  if (block.d_along_m == 0 || takes_turns(block) || block.d_bytes != kHalf) return false;
  const int columns = static_cast<int>(block.n);
  for (int width = 2 * kStep; width <= kWidest; width += kStep)
    if (columns % width == 0) return false;
  const double stages = kStages * (block.m + block.n) * block.k * block.width * block.terms;
  return grid.k * block.width > kStages * kLine &&
         stages + block.m * block.n * block.d_bytes > fitted::kRoomOfWide;
}

/// Elements in a clock, but for how they leave.
double rate_of_tile(const Block& block, bool is_long) {
  constexpr int kRepeat = 128, kSwizzled = 64;
  const bool is_cut = block.m > kRepeat && static_cast<int>(block.n) % kSwizzled != 0;
  return takes_turns(block)              ? fitted::kTeamEpilogue
         : block.m <= 64                 ? fitted::kNarrowEpilogue
         : is_cut && block.d_direct == 0 ? fitted::kCutEpilogue
         : is_long                       ? fitted::kLongEpilogue
                                         : fitted::kEpilogue;
}

double epilogue_rate(const Block& block, const Grid& grid, const Cut& cut) {
  const bool is_long = block.m > fitted::kLongRows && !takes_turns(block);
  const double rate = rate_of_tile(block, is_long);
  if (block.d_direct > 0)
    return rate * (is_long ? fitted::kLongDirectEpilogue : fitted::kDirectEpilogue) *
           (cut.reduction == SplitK::all_add ? cut.split_k : 1);
  if (block.d_bytes == kWord) return rate / 2;
  if (drains_by_steps(block, grid)) return rate * fitted::kSteppedEpilogue;
  if (block.d_anywhere > 0) return rate * fitted::kRowsEpilogue;
  if (block.d_rows > 0)
    return rate * (takes_turns(block) ? fitted::kCutRowsOfTeam : fitted::kCutRows);
  return block.d_whole > 0 ? rate * fitted::kWholeLinesEpilogue : rate;
}

bool is_by_any_rows(const Block& block) { return block.d_anywhere > 0 && block.d_direct == 0; }

}  // namespace

double clocks_to_drain(const Block& block, const Grid& grid, const Cut& cut) {
  return block.m * block.n / epilogue_rate(block, grid, cut);
}

double clocks_of_tile(const Block& block) {
  const double by_rows = block.d_anywhere > 0 ? fitted::kTileByAnyRows : fitted::kTileByRows;
  return fitted::kGroupsTile + (block.d_rows > 0 ? by_rows : 0) +
         (block.d_along_m > 0 && block.d_whole == 0 ? fitted::kTileAlongM : 0);
}

double felt_end(const Block& block) {
  constexpr int kManyColumns = 128;
  // Blocks that share what they load leave the stores room.
  if (blocks_of_cluster(block) > 1) return 0;
  return block.d_direct > 0 && block.n > kManyColumns ? fitted::kFelt : 0;
}

double bytes_to_write(const Block& block, double bytes) {
  const bool is_cached = bytes <= fitted::kCachedBytes;
  const int row = static_cast<int>((block.d_along_m > 0 ? block.m : block.n) * block.d_bytes);
  if (is_by_any_rows(block) || (block.d_rows == 0 && row % kLine != 0))
    return bytes * fitted::kCutLines;
  if (block.d_rows > 0)
    return bytes * (is_cached ? fitted::kCachedRows
                              : fitted::kWholeRows + fitted::kLinesOfEnds * kLine / row);
  const size_t lines = std::min(static_cast<size_t>(row / kLine), fitted::kWholeLines.size()) - 1;
  if (is_cached) return bytes * fitted::kCachedLines[lines];
  return bytes * (block.d_cut_sectors > 0 ? fitted::kBytesOfBoxes : fitted::kWholeLines[lines]);
}

}  // namespace jute::plan
