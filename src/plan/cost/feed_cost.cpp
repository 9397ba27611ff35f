// Rows of both operands by rates that were measured on an H200.
#include "plan/cost/feed_cost.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "plan/chip/bands.hpp"
#include "plan/chip/line.hpp"
#include "plan/cost/fitted.hpp"
#include "plan/cost/rounds.hpp"

namespace jute::plan {
namespace {

constexpr double kFirstRows = 64;

double up(double extent, double unit) { return std::ceil(extent / unit) * unit; }

/// Halvings of a line until rows begin at multiples of its parts.
size_t halvings_of_line(double begins) {
  const int halvings = std::countr_zero(unsigned{kLine}) -
                       std::countr_zero(static_cast<unsigned>(begins) | unsigned{kLine});
  return std::min(static_cast<size_t>(halvings), fitted::kRow.size() - 1);
}

/// The part of a tile that boxes of whole lines hold: of the only one no more than is there, if the
/// rest is left out.
double loaded(const FeedSide& side) {
  const bool is_cut = side.tiles == 1 && side.unit > 0;
  return up(is_cut ? std::min(side.tile, up(side.extent, side.unit)) : side.tile, side.chunk);
}

/// The clocks that a block waits more for each of those that ask at once for 64 rows along K, or
/// for as much as the first k-tile has of ones along M or N.
double first_of(double pitch, size_t halvings, double width, double k) {
  const double first = fitted::kFirst[halvings];
  if (pitch == 0) return first;
  const double rows = std::min({k, std::floor(kLine / width), kFirstRows});
  return first * rows / kFirstRows;
}

/// Sets rates of an operand whose elements have so many bytes in memory.
void set_rates(FeedSide& side, double begins, double bytes, const Block& block, double k) {
  const double share = bytes / block.width;
  const size_t halvings = halvings_of_line(begins * share);
  const bool at_eighths = halvings == fitted::kTogether.size() - 1;
  side.chunk = side.pitch == 0 ? 1 : std::floor(kLine / block.width);
  side.row = fitted::kRow[halvings] * share;
  side.together =
      at_eighths && side.pitch == 0 ? fitted::kEighthsAlongK : fitted::kTogether[halvings];
  side.together_on_all = at_eighths ? fitted::kEighthsOnAll : 0;
  side.first = first_of(side.pitch, halvings, block.width, k);
  side.tiles = std::ceil(std::max(side.extent, 1.0) / side.tile);
  side.loaded = loaded(side);
}

/// Clocks of rows of 128 bytes, or less at the edge.
double clocks_of_rows(const FeedSide& side, double row) {
  return std::min(side.loaded, up(side.extent, side.chunk)) / side.sharers * row;
}

/// The clocks that a tile at the edge takes more: TMA writes zeros slowly, those that nobody leaves
/// out. Not where such tiles are few.
double clocks_past_the_edge(const FeedSide& side) {
  constexpr double kFewTiles = 4;
  if (side.tiles > kFewTiles) return 0;
  const double rows = side.extent - (side.tiles - 1) * side.tile, inside = up(rows, side.chunk);
  const double whole = side.unit > 0 ? 0 : side.loaded - inside;
  return (whole * (fitted::kPastRow - (side.tiles > 1 ? side.row : 0)) +
          (inside - rows) * side.past) /
         side.sharers;
}

/// All readers want the same rows at the same time; where K's lie close together they are of few
/// lines.
double clocks_of_same_rows(const FeedSide& side, double row, double readers) {
  const double of_one = fitted::kSameRow * row * readers / side.sharers;
  return side.pitch == 0 ? of_one : of_one * kLine / side.pitch;
}

/// May blocks that begin one after the other have tiles that lie together? The clocks in which
/// slices of K meet were fitted beside what loads take where they do not.
bool may_lie_together(const Block& block, const Cut& cut) {
  return blocks_of_cluster(block) == 1 && !takes_turns(block) && cut.split_k == 1 &&
         block.d_rows == 0;
}

/// The part of their clocks that loads of whole lines take where that part of the SMs is at work.
double of_part(double part) { return part > 0 ? fitted::kTogether[0] : 1; }
/// The same part for a side's rows, by where they begin.
double of_part(double part, const FeedSide& side) {
  return part > 0 ? std::max(side.together, side.together_on_all * part) : 1;
}

/// Bytes that reach an SM in a clock, of whole lines; of those the part that memory has.
double rate_of_lines(const Block& block) {
  const double stored =
      (block.m * block.a_bytes + block.n * block.b_bytes) / block.width / (block.m + block.n);
  return (block.d_rows > 0 ? fitted::kFeedOutOfStep : fitted::kFeed) / stored;
}

double loads_clocks(const Block& block, const Feed& feed, double part, double sms) {
  const auto& [rows, columns] = feed;
  const auto row = [&](const FeedSide& side) { return side.row * of_part(part, side); };
  const auto readers = [&](const FeedSide& others) { return std::min(others.tiles, sms); };
  const double same = std::max(clocks_of_same_rows(rows, row(rows), readers(columns)),
                               clocks_of_same_rows(columns, row(columns), readers(rows)));
  const double bytes = (rows.loaded + columns.loaded) * kLine;
  if (has_whole_lines(block)) return std::max(same, bytes / rate_of_lines(block) * of_part(part));
  const double loads =
      std::max(same, clocks_of_rows(rows, row(rows)) + clocks_of_rows(columns, row(columns)));
  if (doublings(block) == 0) return loads;
  return (doublings(block) == 1 ? fitted::kInPairs : 1) *
         std::max(loads, bytes / fitted::kFeedOfCluster);
}

double feed_clocks(const Block& block, const Feed& feed, double part, double sms) {
  const double loads = loads_clocks(block, feed, part, sms);
  const double zeros = std::max(clocks_past_the_edge(feed.a), clocks_past_the_edge(feed.b));
  const double hidden = clocks_that_hide(block.m, block.n, products_of_tile(block), block.terms);
  return loads + zeros > hidden ? loads + zeros : loads;
}

/// Clocks until the first rows of a side have come that so many blocks, `at_once` of them at the
/// same time, all ask for; those of a cluster that share them once.
double clocks_of_first_rows(const FeedSide& side, const FeedSide& others, double blocks,
                            double at_once) {
  if (side.first == 0) return 0;
  const double readers = std::min(others.tiles, blocks) * at_once / blocks;
  const double held =
      side.pitch > 0 ? kFirstRows : std::min({side.loaded, side.extent, kFirstRows});
  const double felt =
      side.first * std::sqrt(readers * at_once * (held / kFirstRows)) / side.sharers;
  return std::max(felt - fitted::kFirstUnfelt, 0.0);
}

/// Clocks of a k-block in which threads fetch scales, multiply sums by them and add those. Half of
/// them pass while other groups multiply.
double scaling_clocks(const Block& block) {
  constexpr double kFelt = 0.5;
  return kFelt * block.scaled;
}

/// Clocks of a k-block of terms in which threads add sums: all accumulators behind a run of k, and
/// until products are issued again.
double promotion_clocks(const Block& block) {
  if (block.run == 0) return 0;
  const double run = block.run * block.width / kLine * products_of_tile(block);
  return (block.m * block.n / fitted::kLanes + fitted::kUntilIssued) / run;
}

/// Bytes of a row and a column that products read more than those of the usual tile.
double reads_beyond_usual(const Block& block) {
  return 1.0 / block.m + 1.0 / block.n - fitted::kUsualReads;
}

/// Clocks of a k-block in which threads read A as it is stored, and make fragments of it.
double clocks_of_conversion(const Block& block) {
  return block.converted * (kLine / (block.k * block.width));
}

/// Clocks of a k-block that the producer's warps copy, whoever asks for the rest.
double clocks_of_copies(const Block& block) {
  return fitted::kProducersCopy * block.copies * (kLine / (block.k * block.width));
}

/// However few rows come.
double clocks_of_band(const Block& block) {
  const int teams = static_cast<int>(block.teams);
  const auto place =
      static_cast<size_t>(&band_of(static_cast<int>(block.m), teams) - bands_of(teams).data());
  const fitted::BandClocks& band =
      teams > 1 ? fitted::kTeamBandClocks[place] : fitted::kBandClocks[place];
  return (band.block + band.column * block.n) / products_of_tile(block);
}

/// K-blocks that come for each that is multiplied: terms are loaded once for all their products.
double loads_of(const Block& block) { return block.terms / products_of_tile(block); }

/// Until a thread has asked for them.
double clocks_of_boxes(const Block& block, double tma_issue) {
  return loads_of(block) * block.boxes * tma_issue;
}

}  // namespace

double clocks_of_products(double m, double n) {
  constexpr double kTensorRate = 32 * 128;  // bytes of an SM in a clock: 64 x 2 bytes a column
  return m * n * kLine / kTensorRate;
}

// One group of warps converts what it multiplies and multiplies in turn; of several one does this
// while another does that (an H200: 438 clocks of 64x64, 747 of 64x256, 1087 of 128x256, 1125 of
// 256x64, of 4 bits).
double products_clocks(const Block& block) {
  constexpr double kWarpsOfGroup = 4;
  const double products = clocks_of_products(block.m, block.n),
               converted = clocks_of_conversion(block);
  const bool is_alone = block.warps * block.teams <= kWarpsOfGroup;
  return is_alone ? products + converted : std::max(products, converted);
}

Feed feed_of(const Block& block, const Grid& grid) {
  constexpr double kPastWithinLine = 2;  // of a row past the edge of its own line
  Feed feed;
  feed.a = {.tile = block.m,
            .extent = grid.m,
            .unit = block.a_unit,
            .pitch = block.a_pitch,
            .past = block.a_pitch > 0 ? kPastWithinLine : 0,
            .sharers = block.cluster_n};
  feed.b = {.tile = block.n,
            .extent = grid.n,
            .unit = block.b_unit,
            .pitch = block.b_pitch,
            .past = 0,
            .sharers = block.cluster_m};
  set_rates(feed.a, block.a_begins, block.a_bytes, block, grid.k);
  set_rates(feed.b, block.b_begins, block.b_bytes, block, grid.k);
  return feed;
}

KBlock k_block_of(const Block& block, const Grid& grid, const Cut& cut, const Feed& feed,
                  const ChipRates& rates) {
  constexpr double kConverting = 0.5;  // of clocks in which threads convert: not measured
  // Rows in the cache are asked for no sooner.
  const bool is_together = may_lie_together(block, cut) &&
                           clocks_of_boxes(block, rates.tma_issue) <= clocks_of_band(block);
  const double at_work = feed.a.tiles * feed.b.tiles / rates.sms;
  const double part = is_together && at_work <= 1 ? at_work : 0;
  const bool is_short = block.k * block.width < kLine && grid.k * block.width > kLine;
  KBlock result;
  result.feed = std::max(loads_of(block) * feed_clocks(block, feed, part, rates.sms),
                         least_feed(block, rates.tma_issue) * of_part(part));
  result.feed = std::max(result.feed, clocks_of_copies(block));
  const double more = promotion_clocks(block) + scaling_clocks(block) + fitted::kIssue;
  result.clocks =
      (std::max(products_clocks(block), result.feed) + more) * (is_short ? fitted::kHalfLines : 1);
  result.power = fitted::kPower * clocks_of_products(block.m, block.n) * reads_beyond_usual(block) +
                 kConverting * clocks_of_conversion(block);
  return result;
}

double clocks_of_first_rows(const Feed& feed, double blocks, double rounds, double sms) {
  const double at_once = std::min(blocks, fitted::kAtOnce * std::max(sms, blocks));
  return (rounds > 1 ? fitted::kFirstAgain : 1) *
         std::max(clocks_of_first_rows(feed.a, feed.b, blocks, at_once),
                  clocks_of_first_rows(feed.b, feed.a, blocks, at_once));
}

bool has_whole_lines(const Block& block) {
  return block.a_begins >= kLine && block.b_begins >= kLine;
}

double least_feed(const Block& block, double tma_issue) {
  const double until_come = block.few_stages > 0 ? fitted::kUntilCome / block.few_stages : 0;
  return std::max({clocks_of_band(block), clocks_of_boxes(block, tma_issue), until_come});
}

double least_k_block(const Block& block) {
  return std::max(
             clocks_of_products(block.m, block.n),
             clocks_of_band(block) * (may_lie_together(block, {}) ? fitted::kTogether[0] : 1)) +
         fitted::kIssue;
}

double least_power(const Block& block) {
  return 1 + fitted::kPower * std::min(0.0, reads_beyond_usual(block));
}

double clocks_of_row(double begins) { return fitted::kRow[halvings_of_line(begins)]; }

double clocks_that_hide(double m, double n, double products, double terms) {
  return fitted::kHidden * products * clocks_of_products(m, n) / terms;
}

}  // namespace jute::plan
