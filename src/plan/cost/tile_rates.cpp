// Rates that were measured on an H200.
#include "plan/cost/tile_rates.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "plan/chip/line.hpp"
#include "plan/cost/fitted.hpp"
#include "plan/shapes/warpgroup_ways.hpp"

namespace jute::plan {
namespace {

constexpr int kManyColumns = 128;

/// Do only subtiles of eight columns, or of all, divide a tile that has no room for the latter?
bool drains_by_steps(const Tile& tile, const KernelProblem& problem) {
  constexpr int kStep = 8, kWidest = 64, kStages = 4;
  if (!tile.swapped || tile.ping_pong > 1 || width_bytes(problem.d.type) != 2) return false;
  for (int width = 2 * kStep; width <= kWidest; width += kStep)
    if (tile.n % width == 0) return false;
  const Index stages = Index{kStages} * (tile.m + tile.n) * tile.k_bytes * problem.a.terms;
  return problem.k.value * width_bytes(problem.a.type) > kStages * kLine &&
         stages + Index{tile.m} * tile.n * width_bytes(problem.d.type) > fitted::kRoomOfWide;
}

}  // namespace

double epilogue_rate(const Tile& tile, const KernelProblem& problem) {
  const bool is_long = tile.m > fitted::kLongRows && tile.ping_pong == 1,
             direct = is_direct(tile, problem);
  const bool is_cut = tile.m > 128 && tile.n % 64 != 0 && !direct;
  const double rate = tile.ping_pong > 1 ? fitted::kTeamEpilogue
                      : tile.m <= 64     ? fitted::kNarrowEpilogue
                      : is_cut           ? fitted::kCutEpilogue
                      : is_long          ? fitted::kLongEpilogue
                                         : fitted::kEpilogue;
  if (direct)
    return rate * (is_long ? fitted::kLongDirectEpilogue : fitted::kDirectEpilogue) *
           (tile.reduction == SplitK::all_add ? tile.split_k : 1);
  if (drains_words(problem)) return rate / 2;
  if (drains_by_steps(tile, problem)) return rate * fitted::kSteppedEpilogue;
  if (begins_anywhere(problem.d)) return rate * fitted::kRowsEpilogue;
  if (is_by_rows(tile, problem))
    return rate * (tile.ping_pong > 1 ? fitted::kCutRowsOfTeam : fitted::kCutRows);
  const bool has_lines = tile.swapped && drains_whole_lines_only_swapped(tile, problem);
  return has_lines ? rate * fitted::kWholeLinesEpilogue : rate;
}

double clocks_of_products(Index m, Index n) {
  constexpr double kTensorRate = 32 * 128;  // bytes of an SM in a clock: 64 x 2 bytes a column
  return static_cast<double>(m * n * kLine) / kTensorRate;
}

double felt_end(const Tile& tile, const KernelProblem& problem) {
  // Blocks that share what they load leave the stores room.
  if (blocks(tile.cluster) > 1) return 0;
  return is_direct(tile, problem) && tile.n > kManyColumns ? fitted::kFelt : 0;
}

WriteRates write_rates(const Tile& tile, const KernelProblem& problem) {
  const int row = (tile.swapped ? tile.m : tile.n) * width_bytes(problem.d.type);
  if (is_by_any_rows(tile, problem)) return {fitted::kCutLines, fitted::kCutLines};
  if (is_by_rows(tile, problem))
    return {fitted::kCachedRows, fitted::kWholeRows + fitted::kLinesOfEnds * kLine / row};
  if (row % kLine != 0) return {fitted::kCutLines, fitted::kCutLines};
  const size_t lines = std::min(static_cast<size_t>(row / kLine), fitted::kWholeLines.size()) - 1;
  return {fitted::kCachedLines[lines],
          has_cut_sectors(problem) ? fitted::kBytesOfBoxes : fitted::kWholeLines[lines]};
}

double bytes_to_write(const WriteRates& rates, double bytes) {
  return bytes * (bytes <= fitted::kCachedBytes ? rates.cached : rates.whole);
}

size_t halvings_of_line(const KernelMatrix& matrix) {
  constexpr int kByteBits = 8;
  const Index bits = width_bits(matrix.stored ? matrix.stored->type : matrix.type);
  const auto within = static_cast<unsigned>(matrix.ld.value * bits / kByteBits % kLine);
  const int halvings = std::countr_zero(unsigned{kLine}) - std::countr_zero(within | kLine);
  return std::min(static_cast<size_t>(halvings), fitted::kRow.size() - 1);
}

double clocks_that_hide(Index m, Index n, const KernelProblem& problem) {
  return fitted::kHidden * products_of_tile(problem) * clocks_of_products(m, n) / problem.a.terms;
}

double clocks_of_row(const KernelMatrix& matrix) { return fitted::kRow[halvings_of_line(matrix)]; }

bool is_felt(double feed, Index m, Index n, const KernelProblem& problem) {
  return feed > clocks_that_hide(m, n, problem);
}

}  // namespace jute::plan
