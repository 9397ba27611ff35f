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

// Bytes into an SM in a clock: of whole lines, likewise where blocks have lost each other's step.
constexpr double kFeed = 78, kFeedOutOfStep = 55;
// Clocks of a row of 128 bytes by where rows begin: in every line, at halves, quarters, eighths.
constexpr std::array kRow{kLine / kFeed, 2.15, 2.9, 4.6};
// Clocks of a row that lies past the edge, felt where that is so of a quarter of all tiles.
constexpr double kPastRow = 6;
constexpr Index kFewTiles = 4;
// Of a k-block's products, what its loads may take with those zeros until they wait: tensor cores
// that never do run at a lower clock.
constexpr double kHidden = 1.2;
// Of a row's clocks, what all who ask for the same one at once wait for one of them.
constexpr double kSameRow = 0.97;
// Bytes into an SM in a clock from all who ask in its cluster.
constexpr double kFeedOfCluster = 65;
// What blocks of a cluster wait for each other where rows begin within lines: one, two, four or
// eight.
constexpr std::array kInCluster{1.0, 1.1, 1.05, 1.0};
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

double clocks_of_row(const KernelMatrix& matrix) {
  const auto within = static_cast<unsigned>(matrix.ld.value * width_bytes(matrix.type) % kLine);
  // Halvings of a line until rows begin at multiples of its parts.
  const int halvings = std::countr_zero(unsigned{kLine}) - std::countr_zero(within | kLine);
  return kRow[std::min(static_cast<size_t>(halvings), kRow.size() - 1)];
}

double clocks_of_products(Index m, Index n) {
  constexpr double kTensorRate = 32 * 128;  // bytes of an SM in a clock: 64 x 2 bytes a column
  return static_cast<double>(m * n * kLine) / kTensorRate;
}
double clocks_of_zeros() { return kPastRow; }
bool is_felt(double feed, Index m, Index n, const KernelProblem& problem) {
  return feed * problem.a.terms > kHidden * products_of_tile(problem) * clocks_of_products(m, n);
}
double products_of_tile(const KernelProblem& problem) {
  return std::max<double>(1, static_cast<double>(problem.products.size()));
}

namespace {

/// One operand of a block: its rows or columns of the tile and of the problem, in multiples of how
/// many it leaves out those past the edge, and the blocks that read the same, of which those of a
/// cluster ask together.
struct Side {
  const KernelMatrix& matrix;
  int tile;
  Index extent, unit;
  double readers;
  int sharers;

  /// Of rows along M or N, those that lie together in a line.
  Index chunk() const { return matrix.major == Major::k ? 1 : kLine / width_bytes(matrix.type); }
  Index tiles() const { return ceil_div(std::max<Index>(extent, 1), Index{tile}); }
  /// What boxes of whole lines hold of a tile: of the only one no more than is there, if the rest
  /// is left out.
  Index loaded() const {
    const bool is_cut = tiles() == 1 && unit > 0;
    const Index held = is_cut ? std::min(Index{tile}, ceil_div(extent, unit) * unit) : tile;
    return ceil_div(held, chunk()) * chunk();
  }
  /// Rows of 128 bytes, or less at the edge.
  double rows() const {
    return static_cast<double>(std::min(loaded(), ceil_div(extent, chunk()) * chunk())) / sharers;
  }
  /// What a tile at the edge takes more: TMA writes zeros slowly. Not where such tiles are few.
  double clocks_past_the_edge() const {
    if (unit > 0 || tiles() > kFewTiles) return 0;
    const Index inside = ceil_div(extent - (tiles() - 1) * tile, chunk()) * chunk();
    const Index past = loaded() - inside;
    return static_cast<double>(past) * (kPastRow - (tiles() > 1 ? clocks_of_row(matrix) : 0)) /
           sharers;
  }
  /// All readers want the same rows at the same time; short ones lie together in few lines.
  double clocks_of_same_rows() const {
    const double of_one = kSameRow * clocks_of_row(matrix) * readers / sharers;
    if (matrix.major == Major::k) return of_one;
    const auto bytes =
        static_cast<double>(std::min<Index>(extent * width_bytes(matrix.type), kLine));
    return of_one * kLine / std::max(bytes, 1.0);
  }
};

}  // namespace

double feed_clocks(const GroupTile& tile, const KernelProblem& problem, const DeviceInfo& device) {
  const auto readers = [&](Index extent, int rows) {
    return static_cast<double>(std::min<Index>(ceil_div(extent, rows), device.sm_count));
  };
  const EdgeUnits units = edge_units(tile, problem);
  const Side a{problem.a,     tile.m, problem.m.value, units.a, readers(problem.n.value, tile.n),
               tile.cluster.n};
  const Side b{problem.b,     tile.n, problem.n.value, units.b, readers(problem.m.value, tile.m),
               tile.cluster.m};
  const double same = std::max(a.clocks_of_same_rows(), b.clocks_of_same_rows());
  // Of a kernel for any M nobody knows how many of its rows are.
  const auto past_of = [&](const Side& side, bool is_along_m) {
    return tile.any_m && is_along_m ? 0 : side.clocks_past_the_edge();
  };
  const double past = std::max(past_of(a, !problem.transposed), past_of(b, problem.transposed));
  const auto with_zeros = [&](double loads) {
    return is_felt(loads + past, tile.m, tile.n, problem) ? loads + past : loads;
  };
  const double bytes = static_cast<double>(a.loaded() + b.loaded()) * kLine;
  if (has_whole_lines(problem.a) && has_whole_lines(problem.b))
    return with_zeros(std::max(same, bytes / (is_by_rows(tile, problem) ? kFeedOutOfStep : kFeed)));
  const double asked = a.rows() * clocks_of_row(problem.a) + b.rows() * clocks_of_row(problem.b);
  if (blocks(tile.cluster) == 1) return with_zeros(std::max(same, asked));
  const size_t doublings = std::countr_zero(static_cast<unsigned>(blocks(tile.cluster)));
  return with_zeros(kInCluster[std::min(doublings, kInCluster.size() - 1)] *
                    std::max({same, asked, bytes / kFeedOfCluster}));
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
