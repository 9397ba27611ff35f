// Rates of D's ways out that were measured on an H200.
#include "plan/cost/drain_cost.hpp"

#include <algorithm>

#include "plan/chip/line.hpp"
#include "plan/cost/fitted.hpp"
#include "plan/cost/rounds.hpp"

namespace jute::plan {
namespace {

constexpr double kWord = 4;  // bytes of an element

/// Elements in a clock, but for how they leave.
double rate_of_tile(const Block& block, bool is_long) {
  constexpr int kRepeat = 128, kSwizzled = 64;
  const bool is_cut = block.m > kRepeat && static_cast<int>(block.n) % kSwizzled != 0;
  return takes_turns(block)              ? fitted::kEpilogue / 2
         : block.m <= 64                 ? fitted::kNarrowEpilogue
         : is_cut && block.d_direct == 0 ? fitted::kCutEpilogue
         : is_long                       ? fitted::kLongEpilogue
                                         : fitted::kEpilogue;
}

double epilogue_rate(const Block& block, const Cut& cut) {
  const bool is_long = block.m > fitted::kLongRows && !takes_turns(block);
  const double rate = rate_of_tile(block, is_long);
  if (block.d_direct > 0)
    return rate * (is_long ? fitted::kLongDirectEpilogue : fitted::kDirectEpilogue) *
           (cut.reduction == SplitK::all_add ? cut.split_k : 1);
  return block.d_bytes == kWord ? rate / 2 : rate;
}

bool is_by_any_rows(const Block& block) { return block.d_anywhere > 0 && block.d_direct == 0; }

}  // namespace

double clocks_to_drain(const Block& block, const Cut& cut) {
  return block.m * block.n / epilogue_rate(block, cut);
}

double clocks_of_tile(const Block& block) {
  return fitted::kGroupsTile +
         (block.d_rows > 0 && block.d_anywhere > 0 ? fitted::kTileByAnyRows : 0);
}

double felt_end(const Block& block) {
  constexpr int kManyColumns = 128;
  // Blocks that share what they load leave the stores room.
  if (blocks_of_cluster(block) > 1) return 0;
  return block.d_direct > 0 && block.n > kManyColumns ? fitted::kFelt : 0;
}

// Rows of D alone come in whole sectors.
double bytes_to_write(const Block& block, double bytes) {
  constexpr int kLongLines = 4;  // of a tile's row
  const int row = static_cast<int>((block.d_along_m > 0 ? block.m : block.n) * block.d_bytes);
  const bool is_cut = block.d_rows == 0 && (row % kLine != 0 || block.d_cut_sectors > 0);
  if (is_cut || is_by_any_rows(block)) return bytes * fitted::kCutLines;
  if (block.d_rows > 0) return bytes;
  const bool is_long = row / kLine >= kLongLines || bytes <= fitted::kCachedBytes;
  return bytes * (is_long ? fitted::kInLongLines : fitted::kInLines);
}

}  // namespace jute::plan
