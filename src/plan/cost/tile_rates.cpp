// Rates that were measured on an H200.
#include "plan/cost/tile_rates.hpp"

#include <algorithm>
#include <array>

#include "plan/chip/line.hpp"
#include "plan/shapes/warpgroup_ways.hpp"

namespace jute::plan {
namespace {

// Elements of D in a clock: by subtiles, of 64 rows, of two repeats, of more than 128 rows in cut
// swizzles, of one team; fewer where threads store rows that begin anywhere, and where every thread
// stores what it has.
constexpr double kNarrowEpilogue = 12.5, kEpilogue = 11.5, kLongEpilogue = 9.54,
                 kCutEpilogue = 7.15, kTeamEpilogue = 5.85;

// Of that, where subtiles hold whole lines along M alone.
constexpr double kWholeLinesEpilogue = 1.055;
constexpr double kRowsEpilogue = 0.45, kDirectEpilogue = 0.235, kLongDirectEpilogue = 0.5;

// Likewise by subtiles of eight columns, for beside four stages there is no room for wider ones.
constexpr double kSteppedEpilogue = 0.45;
constexpr Index kRoomOfWide = 226 * 1024;

// Likewise where the rows begin inside sectors: by one team, and by two.
constexpr double kCutRows = 2, kCutRowsOfTeam = 0.7;
constexpr double kFelt = 0.15;  // of an end, where threads store many columns as they hold them
constexpr int kManyColumns = 128;

// Bytes that memory moves for one of D: of a tile's rows of one, two, three lines and more;
// likewise where the L2 cache holds D and writes short rows in an order of its own; of lines that
// tiles cut.
constexpr std::array kWholeLines{1.36, 1.36, 1.36, 1.25}, kCachedLines{1.04, 1.23, 1.33, 1.25};
constexpr double kCachedBytes = 32 << 20;
constexpr double kCutLines = 1.88;

// Where rows begin inside sectors: of whole rows of tiles, more for the ends of each where the
// cache does not hold D, and of boxes.
constexpr double kCachedRows = 1.4, kWholeRows = 1.15, kLinesOfEnds = 0.75, kBytesOfBoxes = 2.4;

/// Do only subtiles of eight columns, or of all, divide a tile that has no room for the latter?
bool drains_by_steps(const WarpgroupTile& tile, const KernelProblem& problem) {
  constexpr int kStep = 8, kWidest = 64, kStages = 4;
  if (!tile.swapped || tile.ping_pong > 1 || width_bytes(problem.d.type) != 2) return false;
  for (int width = 2 * kStep; width <= kWidest; width += kStep)
    if (tile.n % width == 0) return false;
  const Index stages = Index{kStages} * (tile.m + tile.n) * tile.k_bytes * problem.a.terms;
  return problem.k.value * width_bytes(problem.a.type) > kStages * kLine &&
         stages + Index{tile.m} * tile.n * width_bytes(problem.d.type) > kRoomOfWide;
}

}  // namespace

double epilogue_rate(const WarpgroupTile& tile, const KernelProblem& problem) {
  const bool is_long = tile.m > 192 && tile.ping_pong == 1, direct = is_direct(tile, problem);
  const bool is_cut = tile.m > 128 && tile.n % 64 != 0 && !direct;
  const double rate = tile.ping_pong > 1 ? kTeamEpilogue
                      : tile.m <= 64     ? kNarrowEpilogue
                      : is_cut           ? kCutEpilogue
                      : is_long          ? kLongEpilogue
                                         : kEpilogue;
  if (direct)
    return rate * (is_long ? kLongDirectEpilogue : kDirectEpilogue) *
           (tile.reduction == SplitK::all_add ? tile.split_k : 1);
  if (drains_words(problem)) return rate / 2;
  if (drains_by_steps(tile, problem)) return rate * kSteppedEpilogue;
  if (begins_anywhere(problem.d)) return rate * kRowsEpilogue;
  if (is_by_rows(tile, problem)) return rate * (tile.ping_pong > 1 ? kCutRowsOfTeam : kCutRows);
  const bool has_lines = tile.swapped && drains_whole_lines_only_swapped(tile, problem);
  return has_lines ? rate * kWholeLinesEpilogue : rate;
}

double clocks_of_products(Index m, Index n) {
  constexpr double kTensorRate = 32 * 128;  // bytes of an SM in a clock: 64 x 2 bytes a column
  return static_cast<double>(m * n * kLine) / kTensorRate;
}

double felt_end(const WarpgroupTile& tile, const KernelProblem& problem) {
  // Blocks that share what they load leave the stores room.
  if (blocks(tile.cluster) > 1) return 0;
  return is_direct(tile, problem) && tile.n > kManyColumns ? kFelt : 0;
}

WriteRates write_rates(const WarpgroupTile& tile, const KernelProblem& problem) {
  const int row = (tile.swapped ? tile.m : tile.n) * width_bytes(problem.d.type);
  if (is_by_any_rows(tile, problem)) return {kCutLines, kCutLines};
  if (is_by_rows(tile, problem)) return {kCachedRows, kWholeRows + kLinesOfEnds * kLine / row};
  if (row % kLine != 0) return {kCutLines, kCutLines};
  const size_t lines = std::min(static_cast<size_t>(row / kLine), kWholeLines.size()) - 1;
  return {kCachedLines[lines], has_cut_sectors(problem) ? kBytesOfBoxes : kWholeLines[lines]};
}

double bytes_to_write(const WriteRates& rates, double bytes) {
  return bytes * (bytes <= kCachedBytes ? rates.cached : rates.whole);
}

}  // namespace jute::plan
