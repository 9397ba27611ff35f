// Rates that were measured on an H200.
#include "plan/tile_rates.hpp"

#include <jute/base/checked.hpp>

#include <algorithm>
#include <array>
#include <bit>

#include "plan/edge_rows.hpp"
#include "plan/line.hpp"

namespace jute::plan {
namespace {

// Elements of D in a clock: by slabs, of 64 rows, of two repeats, of more than 128 rows in cut
// swizzles, of one team; fewer where warps store rows, and where every thread stores what it has.
constexpr double kNarrowEpilogue = 12, kEpilogue = 17, kLongEpilogue = 10, kCutEpilogue = 7.5,
                 kTeamEpilogue = 6.4;
// Of that, where slabs hold whole lines along M alone: 4 % less of all for a one-tile 128x144.
constexpr double kWholeLinesEpilogue = 1.02;
constexpr double kRowsEpilogue = 0.35, kDirectEpilogue = 0.23, kLongDirectEpilogue = 0.5;

constexpr double kFelt = 0.15;  // of an end, where threads store many columns as they hold them
constexpr int kManyColumns = 128;
// Bytes that memory moves for one of D: of long rows, of whole lines, of lines that tiles cut.
constexpr double kLongRows = 1.25, kWholeLines = 1.38, kCutLines = 2;
constexpr int kLongRow = 512;  // bytes

}  // namespace

bool has_whole_lines(const KernelMatrix& matrix) {
  return matrix.ld.value * width_bytes(matrix.type) % kLine == 0;
}

bool is_direct(const GroupTile& tile, const KernelProblem& problem) {
  constexpr int kPiece = 16;  // bytes that TMA stores
  const DType type = problem.d.type;
  const bool has_pairs = (type == DType::e4m3 || type == DType::e5m2) && !tile.swapped &&
                         tile.n % kPiece == 0 && problem.d.access_bytes >= kPiece;
  return tile.meeting == Meeting::all_add || (width_bytes(type) != 2 && !has_pairs);
}

bool is_by_rows(const GroupTile& tile, const KernelProblem& problem) {
  return problem.d.access_bytes < 16 && !is_direct(tile, problem);
}

bool drains_whole_lines_only_swapped(const GroupTile& tile, const KernelProblem& problem) {
  const int bytes = tile.n * width_bytes(problem.d.type);
  return tile.teams == 1 && !tile.any_m && bytes > kLine && bytes % kLine != 0 &&
         !is_direct(tile, problem) && !is_by_rows(tile, problem);
}

double epilogue_rate(const GroupTile& tile, const KernelProblem& problem) {
  const bool is_long = tile.m > 192 && tile.teams == 1;
  const bool is_cut = tile.m > 128 && tile.n % 64 != 0 && !is_direct(tile, problem);
  const double rate = tile.teams > 1 ? kTeamEpilogue
                      : tile.m <= 64 ? kNarrowEpilogue
                      : is_cut       ? kCutEpilogue
                      : is_long      ? kLongEpilogue
                                     : kEpilogue;
  if (is_direct(tile, problem))
    return rate * (is_long ? kLongDirectEpilogue : kDirectEpilogue) *
           (tile.meeting == Meeting::all_add ? tile.slices : 1);
  if (is_by_rows(tile, problem)) return rate * kRowsEpilogue;
  const bool has_lines = tile.swapped && drains_whole_lines_only_swapped(tile, problem);
  return has_lines ? rate * kWholeLinesEpilogue : rate;
}

double clocks_of_products(Index m, Index n) {
  constexpr double kTensorRate = 32 * 128;  // bytes of an SM in a clock: 64 x 2 bytes a column
  return static_cast<double>(m * n * kLine) / kTensorRate;
}
double products_of_tile(const KernelProblem& problem) {
  return std::max<double>(1, static_cast<double>(problem.products.size()));
}

size_t clusters_worth_a_look(const KernelProblem& problem) {
  constexpr size_t kAlone = 1, kPairs = 2, kAll = 100;
  if (is_by_rows({}, problem)) return kAlone;  // their blocks drift apart
  if (!has_whole_lines(problem.a) || !has_whole_lines(problem.b)) return kAll;
  return is_direct({}, problem) ? kPairs : kAlone;  // what threads store is in the way of loads
}

double felt_end(const GroupTile& tile, const KernelProblem& problem) {
  // Blocks that share what they load leave the stores room.
  if (blocks(tile.cluster) > 1) return 0;
  return is_direct(tile, problem) && tile.n > kManyColumns ? kFelt : 0;
}

double bytes_to_write(const GroupTile& tile, const KernelProblem& problem) {
  const int row = (tile.swapped ? tile.m : tile.n) * width_bytes(problem.d.type);
  if (is_by_rows(tile, problem) || row % kLine != 0) return kCutLines;
  return row >= kLongRow ? kLongRows : kWholeLines;
}

}  // namespace jute::plan
