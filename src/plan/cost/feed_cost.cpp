// Rows of both operands by rates that were measured on an H200.
#include "plan/cost/feed_cost.hpp"

#include <jute/base/checked.hpp>
#include <jute/plan/chip/chip_figures.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

#include "plan/chip/line.hpp"
#include "plan/convert/stored_elements.hpp"
#include "plan/cost/edge_rows.hpp"
#include "plan/cost/fitted.hpp"
#include "plan/cost/tile_rates.hpp"
#include "plan/shapes/bands.hpp"
#include "plan/shapes/tile_boxes.hpp"
#include "plan/shapes/warpgroup_ways.hpp"
#include "plan/values/promotion.hpp"

namespace jute::plan {
namespace {

constexpr double kPastWithinLine = 2;  // of a row past the edge of its own line

constexpr Index kFirstRows = 64;

constexpr Index kFewTiles = 4;

constexpr double kConverting = 0.5;  // of clocks in which threads convert: not measured

Index up(Index extent, Index unit) { return ceil_div(extent, unit) * unit; }

/// The side along the problem's M, of so many rows.
FeedSide feed_rows(const FeedCost& cost, Index m) {
  FeedSide rows = cost.rows;
  rows.extent = m;
  return rows;
}

Index tiles(const FeedSide& side) { return ceil_div(std::max<Index>(side.extent, 1), side.tile); }

/// What boxes of whole lines hold of a tile: of the only one no more than is there, if the rest is
/// left out.
Index loaded(const FeedSide& side) {
  const bool is_cut = tiles(side) == 1 && side.unit > 0;
  return up(is_cut ? std::min(side.tile, up(side.extent, side.unit)) : side.tile, side.chunk);
}

/// Clocks of rows of 128 bytes, or less at the edge.
double clocks_of_rows(const FeedSide& side, double row) {
  return static_cast<double>(std::min(loaded(side), up(side.extent, side.chunk))) / side.sharers *
         row;
}

/// What a tile at the edge takes more: TMA writes zeros slowly, those that nobody leaves out. Not
/// where such tiles are few.
double clocks_past_the_edge(const FeedSide& side) {
  const Index count = tiles(side);
  if (count > kFewTiles) return 0;
  const Index rows = side.extent - (count - 1) * side.tile, inside = up(rows, side.chunk);
  const Index whole = side.unit > 0 ? 0 : loaded(side) - inside;
  return (static_cast<double>(whole) * (fitted::kPastRow - (count > 1 ? side.row : 0)) +
          static_cast<double>(inside - rows) * side.past) /
         side.sharers;
}

/// All readers want the same rows at the same time; where K's lie close together they are of few
/// lines.
double clocks_of_same_rows(const FeedSide& side, double row, Index readers) {
  const double of_one = fitted::kSameRow * row * static_cast<double>(readers) / side.sharers;
  return side.pitch == 0 ? of_one : of_one * kLine / std::clamp<double>(side.pitch, 1, kLine);
}

/// May blocks that begin one after the other have tiles that lie together? The clocks in which
/// slices of K meet were fitted beside what loads take where they do not.
bool may_lie_together(const Tile& tile, const KernelProblem& problem) {
  return blocks(tile.cluster) == 1 && tile.ping_pong == 1 && tile.split_k == 1 &&
         !is_by_rows(tile, problem);
}

/// Of the SMs, those whose blocks have such a tile; 0 if there are more of so many rows' tiles.
double part_at_work(const FeedCost& cost, const FeedSide& rows) {
  const double blocks = static_cast<double>(tiles(rows)) * static_cast<double>(tiles(cost.columns));
  const double part = blocks / static_cast<double>(cost.most_readers);
  return cost.is_together && part <= 1 ? part : 0;
}

/// What loads of whole lines take of their clocks where that part of the SMs is at work.
double of_part(double part) { return part > 0 ? fitted::kTogether[0] : 1; }

/// Likewise of a side's rows, by where they begin.
double of_part(double part, const FeedSide& side) {
  return part > 0 ? std::max(side.together, side.together_on_all * part) : 1;
}

double feed_clocks(const FeedCost& cost, const FeedSide& rows, double part) {
  const FeedSide& columns = cost.columns;
  const auto row = [&](const FeedSide& side) { return side.row * of_part(part, side); };
  const auto readers = [&](const FeedSide& others) {
    return std::min(tiles(others), cost.most_readers);
  };
  const double same = std::max(clocks_of_same_rows(rows, row(rows), readers(columns)),
                               clocks_of_same_rows(columns, row(columns), readers(rows)));
  const auto bytes = static_cast<double>((loaded(rows) + loaded(columns)) * kLine);
  double loads = 0;
  if (cost.whole_lines > 0) {
    loads = std::max(same, bytes / cost.whole_lines * of_part(part));
  } else {
    loads = std::max(same, clocks_of_rows(rows, row(rows)) + clocks_of_rows(columns, row(columns)));
    const size_t doublings = std::countr_zero(static_cast<unsigned>(cost.cluster));
    if (doublings > 0)
      loads = fitted::kInCluster[std::min(doublings, fitted::kInCluster.size() - 1)] *
              std::max(loads, bytes / fitted::kFeedOfCluster);
  }
  const double zeros = std::max(clocks_past_the_edge(rows), clocks_past_the_edge(columns));
  return loads + zeros > cost.hidden ? loads + zeros : loads;
}

/// Clocks until the first rows of a side have come that so many blocks, `at_once` of them at the
/// same time, all ask for; those of a cluster that share them once.
double clocks_of_first_rows(const FeedSide& side, const FeedSide& others, double blocks,
                            double at_once) {
  if (side.first == 0) return 0;
  const double readers = std::min(static_cast<double>(tiles(others)), blocks) * at_once / blocks;
  const Index held =
      side.pitch > 0 ? kFirstRows : std::min({loaded(side), side.extent, kFirstRows});
  const double part = static_cast<double>(held) / kFirstRows;
  const double felt = side.first * std::sqrt(readers * at_once * part) / side.sharers;
  return std::max(felt - fitted::kFirstUnfelt, 0.0);
}

/// Clocks of a k-block in which threads fetch scales and multiply sums by them, beside adding
/// those. Half of them pass while other groups multiply.
double scaling_clocks(const Tile& tile, const KernelProblem& problem) {
  constexpr double kFelt = 0.5;
  constexpr int kRowsOfGroup = 64, kRowLines = 2, kColumnLanes = 4;
  if (!problem.a.scales && !problem.b.scales) return 0;
  const Index rows = Index{tile.m} / (kRowsOfGroup * tile.groups_m) * kRowLines,
              columns = Index{tile.n} / (kColumnLanes * tile.groups_n);
  const auto lines = [&](const KernelMatrix& matrix, Index extent, Index of_thread,
                         GroupedAlong along) {
    return matrix.scales ? scale_lines(matrix.scales->block_outer, extent, of_thread,
                                       tiles_begin(problem.groups, along),
                                       along == GroupedAlong::n && tile.groups_n == 1)
                         : ScaleLines{ScalesBy::one, 1};
  };
  const ScaleWork work =
      scale_work(lines(problem.a, tile.m, rows, GroupedAlong::m),
                 lines(problem.b, tile.n, columns, GroupedAlong::n), rows, columns);
  const int row_k = tile.k_bytes / width_bytes(problem.a.type);
  const double runs = row_k / within_blocks(problem, row_k);
  const double added = (runs - 1) * static_cast<double>(rows * columns);
  return kFelt * tile.groups_m * tile.groups_n * (runs * work.instructions + added);
}

/// Clocks of a k-block of terms in which threads add sums: all accumulators behind a run of k, and
/// until products are issued again.
double promotion_clocks(const Tile& tile, const KernelProblem& problem) {
  if (problem.products.empty()) return 0;
  const double run = static_cast<double>(usual_promotion(problem, 1)) *
                     width_bytes(problem.a.type) / kLine * products_of_tile(problem);
  return (static_cast<double>(tile.m) * tile.n / fitted::kLanes + fitted::kUntilIssued) / run;
}

/// Clocks of a k-block, however few its rows are.
double least_feed(const Tile& tile, const KernelProblem& problem) {
  const auto place = static_cast<size_t>(&band_of(tile) - bands_of(tile.ping_pong).data());
  const fitted::BandClocks& band =
      tile.ping_pong > 1 ? fitted::kTeamBandClocks[place] : fitted::kBandClocks[place];
  return (band.block + band.column * tile.n) / products_of_tile(problem);
}

/// What products read more than those of the usual tile, of a row and a column.
double reads_beyond_usual(const Tile& tile) {
  return 1.0 / tile.m + 1.0 / tile.n - fitted::kUsualReads;
}

/// What a block waits more for each of those that ask at once for 64 rows along K, or for as much
/// as the first k-tile has of ones along M or N.
double first_of(const KernelMatrix& matrix, size_t halvings, const Extent& k) {
  const double first = fitted::kFirst[halvings];
  if (matrix.major == Major::k) return first;
  const Index rows = std::min<Index>({k.value, kLine / width_bytes(matrix.type), kFirstRows});
  return first * fitted::kFirstAlongMn * static_cast<double>(rows) / kFirstRows;
}

FeedSide feed_side(const KernelMatrix& matrix, const Extent& extent, const Extent& k, int tile,
                   Index unit, int sharers) {
  const bool along_k = matrix.major == Major::k;
  const int width = width_bytes(matrix.type);
  const size_t halvings = halvings_of_line(matrix);
  const bool at_eighths = halvings == fitted::kTogether.size() - 1;
  return {.tile = tile,
          .extent = extent.value,
          .unit = unit,
          .chunk = along_k ? 1 : kLine / width,
          .row = fitted::kRow[halvings] * stored_share(matrix),
          .together = at_eighths && along_k ? fitted::kEighthsAlongK : fitted::kTogether[halvings],
          .together_on_all = at_eighths ? fitted::kEighthsOnAll : 0,
          .first = first_of(matrix, halvings, k),
          .pitch = along_k ? 0.0 : static_cast<double>(matrix.ld.value * width),
          .sharers = sharers};
}

/// Of what a tile multiplies of whole lines of both operands, the part that memory has.
double stored_share(const Tile& tile, const KernelProblem& problem) {
  return (tile.m * stored_share(problem.a) + tile.n * stored_share(problem.b)) / (tile.m + tile.n);
}

}  // namespace

double clocks_of_conversion(const Tile& tile, const KernelProblem& problem) {
  constexpr double kReads = 1, kLanes = 32;  // of the SM's, a quarter of the time
  if (!problem.a.stored) return 0;
  const StoredOperand plain{problem.a.stored->type, {}};
  const double instructions = stored_elements(plain, problem.a.type, 1).instructions + kReads;
  return instructions * tile.m * kLine / width_bytes(problem.a.type) / kLanes;
}

FeedCost feed_cost(const Tile& tile, const KernelProblem& problem, const DeviceInfo& device) {
  const EdgeUnits units = edge_units(tile, problem);
  const bool is_short =
      tile.k_bytes < kLine && problem.k.value * width_bytes(problem.a.type) > kLine;
  FeedCost cost;
  cost.rows = feed_side(problem.a, problem.m, problem.k, tile.m, units.a, tile.cluster.n);
  cost.columns = feed_side(problem.b, problem.n, problem.k, tile.n, units.b, tile.cluster.m);
  cost.rows.past = cost.rows.pitch > 0 ? kPastWithinLine : 0;
  if (problem.transposed) std::swap(cost.rows, cost.columns);
  cost.most_readers = device.sm_count;
  cost.cluster = static_cast<int>(blocks(tile.cluster));
  if (has_whole_lines(problem.a) && has_whole_lines(problem.b))
    cost.whole_lines = (is_by_rows(tile, problem) ? fitted::kFeedOutOfStep : fitted::kFeed) /
                       stored_share(tile, problem);
  cost.is_together = may_lie_together(tile, problem);
  // Terms are loaded once for all their products.
  cost.loads = problem.a.terms / products_of_tile(problem);
  cost.hidden = clocks_that_hide(tile.m, tile.n, problem);
  cost.least = least_feed(tile, problem);
  const TileShape asked{tile.m / tile.cluster.n, tile.n / tile.cluster.m,
                        tile.k_bytes / width_bytes(problem.a.type)};
  if (const double boxes =
          cost.loads * boxes_of_tile(asked, problem) * chip_figures(device).tma_issue.value;
      boxes > cost.least) {
    cost.least = boxes;
    cost.is_together = false;  // what lies in the cache is asked for no sooner either
  }
  cost.more = promotion_clocks(tile, problem) + scaling_clocks(tile, problem) + fitted::kIssue;
  cost.half_lines = is_short ? fitted::kHalfLines : 1;
  cost.power_clocks =
      fitted::kPower * clocks_of_products(tile.m, tile.n) * reads_beyond_usual(tile) +
      kConverting * clocks_of_conversion(tile, problem);
  return cost;
}

KBlock k_block_of(const FeedCost& cost, double products, Index m) {
  const FeedSide rows = feed_rows(cost, m);
  const double part = part_at_work(cost, rows);
  const double feed =
      std::max(cost.loads * feed_clocks(cost, rows, part), cost.least * of_part(part));
  return {feed, (std::max(products, feed) + cost.more) * cost.half_lines};
}

double clocks_of_first_rows(const FeedCost& cost, Index m, double blocks, double rounds) {
  const FeedSide rows = feed_rows(cost, m);
  const double at_once =
      std::min(blocks, fitted::kAtOnce * std::max(static_cast<double>(cost.most_readers), blocks));
  return (rounds > 1 ? fitted::kFirstAgain : 1) *
         std::max(clocks_of_first_rows(rows, cost.columns, blocks, at_once),
                  clocks_of_first_rows(cost.columns, rows, blocks, at_once));
}

double least_k_block(const Tile& tile, const KernelProblem& problem) {
  Tile whole = tile;
  whole.split_k = 1;
  return std::max(clocks_of_products(tile.m, tile.n),
                  least_feed(tile, problem) *
                      (may_lie_together(whole, problem) ? fitted::kTogether[0] : 1)) +
         fitted::kIssue;
}

double least_power(const Tile& tile) {
  return 1 + fitted::kPower * std::min(0.0, reads_beyond_usual(tile));
}

}  // namespace jute::plan
