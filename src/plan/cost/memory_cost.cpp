// Bytes that tiles ask for, those of them that come twice or lie past the edge, and how fast memory
// answers.
#include "plan/cost/memory_cost.hpp"

#include <algorithm>
#include <cmath>

#include "plan/chip/line.hpp"
#include "plan/cost/drain_cost.hpp"
#include "plan/cost/fitted.hpp"

namespace jute::plan {
namespace {

constexpr double kShortExtent = 64;

double or_one(double tiles) { return std::max(tiles, 1.0); }

/// Tiles of all matrices.
double all_tiles(const BothOperands& operands, const Grid& grid) {
  return or_one(operands.rows.tiles) * or_one(operands.others.tiles) * or_one(grid.batch);
}

/// Few rows of one operand with many of the other in each block, none for some SMs.
bool has_few_large_blocks(const Block& block, const Grid& grid, double tiles, double sms) {
  constexpr int kManyOfTile = 64;
  return std::min(grid.m, grid.n) <= fitted::kFewOfEither &&
         (grid.m > grid.n ? block.m : block.n) > kManyOfTile &&
         tiles < fitted::kMostOfFewLarge * sms;
}

/// The part that memory moves again of an operand that tiles share, by the rows of the other one.
double read_again(const OperandRows& operand, double others) {
  if (!operand.along_k) return fitted::kReadAgain;
  return others <= kShortExtent ? fitted::kReadAgainForFew : fitted::kReadAgainAlongK;
}

double memory_rate(const Block& block, const Grid& grid, const BothOperands& operands,
                   const ChipRates& rates) {
  return fitted::kDram * rates.memory_beside *
         (has_few_large_blocks(block, grid, all_tiles(operands, grid), rates.sms)
              ? fitted::kFewLarge
              : 1);
}

/// Bytes that memory moves, and those for rows past the edge.
struct Moved {
  double bytes = 0, past_the_edge = 0;
};
Moved moved_for(const Block& block, const Grid& grid, const BothOperands& operands,
                double row_bytes) {
  const auto& [rows, others] = operands;
  const double again = rows.tiles > 1 ? read_again(others, rows.extent) * others.bytes() : 0;
  const double k_bytes = bytes_of_k(block, grid);
  const double of_tile =
      k_bytes / block.width *
      (block.a_bytes * block.m / block.cluster_n + block.b_bytes * block.n / block.cluster_m);
  const double cached = fitted::kFromCache * rows.tiles * others.tiles * of_tile;
  const double past = rows.past_the_edge() * others.tiles + others.past_the_edge() * rows.tiles;
  return {grid.batch * (rows.extent * row_bytes + others.bytes() + again + cached) +
              bytes_to_write(block, grid.batch * grid.m * grid.n * block.d_bytes),
          fitted::kPastTheEdge * grid.batch * past * k_bytes};
}

/// Do two blocks, and no more, read each row of the larger operand, without a cluster?
bool reads_in_pairs(const Block& block, const Cut& cut, const BothOperands& operands,
                    double row_bytes) {
  const auto& [rows, others] = operands;
  const double of_rows = rows.extent * row_bytes, of_others = others.bytes();
  const bool shares_other = rows.tiles == 2 && of_others > of_rows;
  const bool shares_rows = others.tiles == 2 && of_rows > of_others;
  return blocks_of_cluster(block) == 1 && cut.split_k == 1 && (shares_other || shares_rows);
}

/// The bytes of one operand's rows that so many tiles of the other one read.
double rows_read(OperandRows operand, const OperandRows& others, bool has_zeros) {
  operand.unit = 0;
  const double readers = or_one(others.tiles);
  const double past = has_zeros ? operand.past_the_edge() * readers : 0;
  return operand.extent * (1 + (readers > 1 ? read_again(operand, others.extent) : 0)) +
         fitted::kPastTheEdge * past;
}

}  // namespace

double OperandRows::past_the_edge() const {
  if (!along_k) return 0;
  return (unit > 0 ? std::ceil(extent / unit) * unit : tiles * tile) - extent;
}

BothOperands operands_of(const Block& block, const Grid& grid) {
  const double of_k = grid.k * block.terms;
  const TilesOfMatrix tiles = tiles_of_matrix(block, grid);
  const OperandRows a{grid.m,       block.m,           tiles.m, of_k * block.a_bytes,
                      block.a_unit, block.a_pitch == 0};
  const OperandRows b{grid.n,       block.n,           tiles.n, of_k * block.b_bytes,
                      block.b_unit, block.b_pitch == 0};
  return grid.rows_along_n > 0 ? BothOperands{b, a} : BothOperands{a, b};
}

MemoryClocks memory_clocks(const Block& block, const Grid& grid, const Cut& cut,
                           const BothOperands& operands, const Rounds& rounds,
                           const ChipRates& rates) {
  const auto& [rows, others] = operands;
  const double row_bytes =
      rows.row_bytes * (1 + (others.tiles > 1 ? read_again(rows, others.extent) : 0));
  const auto [bytes, past] = moved_for(block, grid, operands, row_bytes);
  MemoryClocks clocks;
  clocks.in_pairs = rounds.waves <= 1 && reads_in_pairs(block, cut, operands, row_bytes);
  const double rate =
      memory_rate(block, grid, operands, rates) * (clocks.in_pairs ? fitted::kOfPairs : 1);
  clocks.needed = clocks_of({bytes, rate}, rounds.blocks);
  clocks.past_the_edge = clocks_of({bytes + past, rate}, rounds.blocks) - clocks.needed;
  return clocks;
}

double clocks_of(const Traffic& traffic, double blocks) {
  return std::max(traffic.bytes / traffic.rate, traffic.bytes / blocks / fitted::kFeed);
}

// Whole operands, what is read again, fetched past the edge where nothing is left out, and D.
Traffic least_traffic(const Block& block, const Grid& grid, const Cut& cut,
                      const ChipRates& rates) {
  const BothOperands operands = operands_of(block, grid);
  const auto& [rows, others] = operands;
  const bool has_zeros = cut.split_k > 1 && cut.reduction != SplitK::distributed;
  const double bytes = grid.batch * (rows_read(rows, others, has_zeros) * rows.row_bytes +
                                     rows_read(others, rows, has_zeros) * others.row_bytes);
  const double of_d = grid.m * grid.n * grid.batch * block.d_bytes;
  const bool may_be_direct = cut.split_k == 0 && block.d_anywhere > 0 && block.d_direct == 0;
  return {bytes + (may_be_direct ? of_d : bytes_to_write(block, of_d)),
          fitted::kDram * fitted::kOfPairs * rates.memory_beside};
}

}  // namespace jute::plan
