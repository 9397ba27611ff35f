// Bytes that tiles ask for, those of them that come twice or lie past the edge, and how fast memory
// answers.
#include "plan/cost/memory_cost.hpp"

#include <jute/base/checked.hpp>

#include <algorithm>
#include <array>

#include "plan/chip/chip_rates.hpp"
#include "plan/cost/edge_rows.hpp"
#include "plan/cost/fitted.hpp"
#include "plan/cost/tile_rates.hpp"
#include "plan/shapes/warpgroup_ways.hpp"
#include "plan/values/step_grid.hpp"
#include "plan/values/tile_counts.hpp"

namespace jute::plan {
namespace {

constexpr Index kShortExtent = 64, kManyRows = kShortExtent + 1;

/// Few rows of one operand with many of the other in each block, none for some SMs.
bool has_few_large_blocks(const Tile& tile, const KernelProblem& problem,
                          const DeviceInfo& device) {
  constexpr int kManyOfTile = 64;
  const Index m = problem.m.value, n = problem.n.value;
  return std::min(m, n) <= fitted::kFewOfEither && (m > n ? tile.m : tile.n) > kManyOfTile &&
         tiles_of({tile.m, tile.n}, m, n, problem.batch.value) <
             fitted::kMostOfFewLarge * device.sm_count;
}

double answers_later(const Tile& tile, const KernelProblem& problem, const DeviceInfo& device) {
  const bool is_walked = tiles_of({tile.m, tile.n}, problem.m.value, problem.n.value,
                                  problem.batch.value) > device.sm_count;
  const auto& later = is_walked ? fitted::kWalkedClusterDram : fitted::kClusterDram;
  return 1 + later[std::min<size_t>(doublings(tile.cluster), later.size() - 1)];
}

/// What memory moves again of an operand that tiles share, by the rows of the other one.
double read_again(const KernelMatrix& matrix, Index others) {
  if (matrix.major == Major::mn) return fitted::kReadAgain;
  return others <= kShortExtent ? fitted::kReadAgainForFew : fitted::kReadAgainAlongK;
}

/// What memory moves for so many rows, and those of them that lie past the edge.
struct Moved {
  double bytes = 0, past_the_edge = 0;
};
Moved moved_for(const MemoryCost& cost, const TileGrid& grid, Index m, double matrices) {
  const Index tiles = ceil_div(m, grid.tile_rows);
  const PastRows& past = cost.past;
  const Index last_row =
      past.edge_unit > 0 ? ceil_div(m, past.edge_unit) * past.edge_unit : tiles * grid.tile_rows;
  const Index past_m = past.along_m ? last_row - m : 0;
  const double past_rows = static_cast<double>(past_m) * static_cast<double>(grid.tiles_across) +
                           static_cast<double>(past.across) * static_cast<double>(tiles);
  const double again = cost.again_bytes + (m <= kShortExtent ? cost.again_for_few : 0);
  const auto rows = static_cast<double>(m);
  const double cached = fitted::kFromCache * static_cast<double>(tiles) *
                        static_cast<double>(grid.tiles_across) * cost.tile_bytes;
  return {matrices * (rows * cost.row_bytes + cost.other_bytes + (tiles > 1 ? again : 0) + cached) +
              bytes_to_write(cost.written, matrices * rows * cost.d_row_bytes),
          fitted::kPastTheEdge * matrices * past_rows * cost.k_bytes};
}

/// Do two blocks, and no more, read each row of the larger operand, without a cluster?
bool reads_in_pairs(const MemoryCost& cost, const TileGrid& grid, Index m) {
  const double rows_bytes = static_cast<double>(m) * cost.row_bytes;
  const bool shares_other = ceil_div(m, grid.tile_rows) == 2 && cost.other_bytes > rows_bytes;
  const bool shares_rows = grid.tiles_across == 2 && rows_bytes > cost.other_bytes;
  return grid.cluster == 1 && grid.split_k == 1 && (shares_other || shares_rows);
}

/// Of the rows of one operand, which so many tiles of the other one read.
double rows_read(const KernelMatrix& matrix, Index extent, double again, Index covered,
                 Index readers, bool has_zeros) {
  const Index past = has_zeros && matrix.major == Major::k ? (covered - extent) * readers : 0;
  return static_cast<double>(extent) * (1 + (readers > 1 ? again : 0)) +
         fitted::kPastTheEdge * static_cast<double>(past);
}

double greatest_rate(const KernelProblem& problem) {
  const Index m = problem.m.value, n = problem.n.value;
  const bool a = problem.a.major == Major::mn, b = problem.b.major == Major::mn;
  const bool is_larger_along_mn = m == n ? a && b : m > n ? a : b;
  const double faster =
      std::max(1 / (1 + std::ranges::min(fitted::kClusterDram)), fitted::kOfPairs);
  return (is_larger_along_mn ? fitted::kDramAlongMn : fitted::kDram) * faster;
}

}  // namespace

MemoryCost memory_cost(const Tile& tile, const KernelProblem& problem, const DeviceInfo& device,
                       const TileGrid& grid) {
  const bool is_across = problem.transposed;  // the problem's M is the kernel's N
  const Index m = is_across ? problem.n.value : problem.m.value;
  const Index n = is_across ? problem.m.value : problem.n.value;
  const KernelMatrix& rows = is_across ? problem.b : problem.a;
  const KernelMatrix& others = is_across ? problem.a : problem.b;
  MemoryCost cost;
  cost.rate = ((m > n ? rows : others).major == Major::mn ? fitted::kDramAlongMn : fitted::kDram) /
              answers_later(tile, problem, device) * memory_beside_fitted(device) *
              (has_few_large_blocks(tile, problem, device) ? fitted::kFewLarge : 1);
  cost.k_bytes =
      static_cast<double>(problem.k.value) * width_bytes(problem.a.type) * problem.a.terms;
  const double of_rows = cost.k_bytes * stored_share(rows);
  cost.row_bytes = of_rows;
  if (grid.tiles_across > 1) cost.row_bytes += read_again(rows, n) * of_rows;
  cost.other_bytes = cost.k_bytes * stored_share(others) * static_cast<double>(n);
  cost.again_bytes = read_again(others, kManyRows) * cost.other_bytes;
  cost.again_for_few = read_again(others, kShortExtent) * cost.other_bytes - cost.again_bytes;
  cost.tile_bytes = cost.k_bytes * (stored_share(problem.a) * tile.m / tile.cluster.n +
                                    stored_share(problem.b) * tile.n / tile.cluster.m);
  cost.d_row_bytes = static_cast<double>(n) * width_bytes(problem.d.type);
  cost.written = write_rates(tile, problem);
  // Of rows along mn, what is past the edge lies in lines that are fetched anyway.
  const EdgeUnits units = edge_units(tile, problem);
  const Index unit = is_across ? units.a : units.b;
  const Index covered =
      unit > 0 ? ceil_div(n, unit) * unit : grid.tiles_across * (is_across ? tile.m : tile.n);
  cost.past = {.across = others.major == Major::k ? covered - n : 0,
               .along_m = rows.major == Major::k,
               .edge_unit = is_across ? units.b : units.a};
  return cost;
}

MemoryClocks memory_clocks(const KernelCost& cost, Index m, Index batch, const Rounds& rounds) {
  const auto [bytes, past] = moved_for(cost.memory, cost.grid, m, static_cast<double>(batch));
  MemoryClocks clocks;
  clocks.in_pairs = rounds.waves <= 1 && reads_in_pairs(cost.memory, cost.grid, m);
  const double rate = cost.memory.rate * (clocks.in_pairs ? fitted::kOfPairs : 1);
  clocks.needed = clocks_of({bytes, rate}, rounds.blocks);
  clocks.past_the_edge = clocks_of({bytes + past, rate}, rounds.blocks) - clocks.needed;
  return clocks;
}

double clocks_of(const Traffic& traffic, double blocks) {
  const double of_block = traffic.bytes / blocks;
  return std::max(
      traffic.bytes / traffic.rate,
      std::min(of_block / fitted::kDramOfBlock, fitted::kUntilFlow + of_block / fitted::kFlow));
}

LeastTraffic::LeastTraffic(const KernelProblem& problem, const DeviceInfo& device)
    : problem_(problem),
      rate_(greatest_rate(problem) * memory_beside_fitted(device)),
      again_a_(read_again(problem.a, problem.n.value)),
      again_b_(read_again(problem.b, problem.m.value)),
      row_bytes_(static_cast<double>(problem.batch.value) * static_cast<double>(problem.k.value) *
                 width_bytes(problem.a.type) * problem.a.terms),
      d_bytes_(elements_of_d(problem.m.value, problem.n.value, problem.batch.value) *
               width_bytes(problem.d.type)) {}

// Whole operands, what is read again, fetched past the edge where nothing is left out, and D.
Traffic LeastTraffic::operator()(const Tile& tile) const {
  const Index m = problem_.m.value, n = problem_.n.value;
  const Index down = ceil_div(std::max<Index>(m, 1), tile.m);
  const Index across = ceil_div(std::max<Index>(n, 1), tile.n);
  const bool has_zeros = adds_in_workspace(tile);
  const double rows = rows_read(problem_.a, m, again_a_, down * tile.m, across, has_zeros) *
                          stored_share(problem_.a) +
                      rows_read(problem_.b, n, again_b_, across * tile.n, down, has_zeros) *
                          stored_share(problem_.b);
  const bool may_be_direct = tile.split_k == kSplitKAtRunTime && is_by_any_rows(tile, problem_);
  const WriteRates rates = may_be_direct ? WriteRates{} : write_rates(tile, problem_);
  return {rows * row_bytes_ + bytes_to_write(rates, d_bytes_), rate_};
}

}  // namespace jute::plan
