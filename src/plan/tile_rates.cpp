// Rates that were measured on an H200.
#include "plan/tile_rates.hpp"

#include "plan/line.hpp"

namespace jute::plan {
namespace {

// Bytes into an SM in a clock: whole lines, where blocks have lost each other's step, cut ones.
constexpr double kFeed = 72, kFeedOutOfStep = 54, kBrokenFeed = 34;
// Elements of D in a clock: by slabs, of 64 rows, of two repeats, of more than 128 rows in cut
// swizzles, of one team; fewer where warps store rows, and where every thread stores what it has.
constexpr double kNarrowEpilogue = 12, kEpilogue = 17, kLongEpilogue = 10, kCutEpilogue = 7.5,
                 kTeamEpilogue = 6.4;
constexpr double kRowsEpilogue = 0.35, kDirectEpilogue = 0.23, kLongDirectEpilogue = 0.5;

constexpr double kFelt = 0.15;  // of an end, where threads store many columns as they hold them
constexpr int kManyColumns = 128;
// Bytes that memory moves for one of D: of long rows, of whole lines, of lines that tiles cut.
constexpr double kLongRows = 1.2, kWholeLines = 1.3, kCutLines = 2;
constexpr int kLongRow = 512;  // bytes

}  // namespace

bool has_whole_lines(const KernelMatrix& matrix) {
  return matrix.ld.value * width_bytes(matrix.type) % kLine == 0;
}

bool is_direct(const GroupTile& tile, const KernelProblem& problem) {
  return tile.meeting == Meeting::all_add || width_bytes(problem.d.type) != 2;
}

bool is_by_rows(const GroupTile& tile, const KernelProblem& problem) {
  return problem.d.access_bytes < 16 && !is_direct(tile, problem);
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
  return is_by_rows(tile, problem) ? rate * kRowsEpilogue : rate;
}

double feed_rate(const GroupTile& tile, const KernelProblem& problem) {
  const bool whole = has_whole_lines(problem.a) && has_whole_lines(problem.b);
  if (!whole && blocks(tile.cluster) == 1) return kBrokenFeed;
  return is_by_rows(tile, problem) ? kFeedOutOfStep : kFeed;
}

double felt_end(const GroupTile& tile, const KernelProblem& problem) {
  return is_direct(tile, problem) && tile.n > kManyColumns ? kFelt : 0;
}

double bytes_to_write(const GroupTile& tile, const KernelProblem& problem) {
  const int row = (tile.swapped ? tile.m : tile.n) * width_bytes(problem.d.type);
  if (is_by_rows(tile, problem) || row % kLine != 0) return kCutLines;
  return row >= kLongRow ? kLongRows : kWholeLines;
}

}  // namespace jute::plan
