// Launch, rounds of tiles, what slices and the power limit cost: the sum of a kernel's clocks.
#include "plan/cost/cost_model.hpp"

#include <jute/base/checked.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include "plan/chip/line.hpp"
#include "plan/cost/feed_cost.hpp"
#include "plan/cost/fitted.hpp"
#include "plan/cost/memory_cost.hpp"
#include "plan/cost/release.hpp"
#include "plan/cost/room.hpp"
#include "plan/cost/slice_cost.hpp"
#include "plan/cost/tile_rates.hpp"
#include "plan/shapes/warpgroup_ways.hpp"
#include "plan/values/tile_counts.hpp"

namespace jute::plan {
namespace {

/// Blocks hide the starts of those that begin beside them on their SM.
double start_of(const Tile& tile) {
  return (tile.co_resident > 1 ? 0 : fitted::kGroupsStart) +
         (blocks(tile.cluster) > 1 ? fitted::kClusterStart : 0) +
         fitted::kClusterDoubled * doublings(tile.cluster);
}

/// By how much two that go on at the same time delay each other, the more the more equal they are:
/// together they take the eighth root of the sum of their eighth powers.
double delay(double less, double more) {
  const double part = less / std::max(more, 1.0), square = part * part, fourth = square * square;
  return more * std::sqrt(std::sqrt(std::sqrt(1 + fourth * fourth))) - more;
}

/// Of a tile that is not cut into slices.
double all_k_blocks(const KernelProblem& problem) {
  const double bytes = static_cast<double>(problem.k.value) * width_bytes(problem.a.type);
  return std::ceil(bytes / kLine) * products_of_tile(problem);
}

double clocks_to_drain(const Tile& tile, const KernelProblem& problem) {
  return static_cast<double>(tile.m) * tile.n / epilogue_rate(tile, problem);
}

/// Of a k-block. One group of warps converts what it multiplies and multiplies in turn; of several
/// one does this while another does that (an H200: 438 clocks of 64x64, 747 of 64x256, 1087 of
/// 128x256, 1125 of 256x64, of 4 bits).
double products_clocks(const Tile& tile, const KernelProblem& problem) {
  const double products = clocks_of_products(tile.m, tile.n),
               converted = clocks_of_conversion(tile, problem);
  const bool is_alone = tile.groups_m * tile.ping_pong == 1;
  return is_alone ? products + converted : std::max(products, converted);
}

/// What neither the problem's M nor its batch changes.
Prediction fixed_parts(const Tile& tile, const KernelProblem& problem) {
  Prediction parts;
  parts.launch = fitted::kGroupsLaunch;
  parts.start = start_of(tile);
  parts.k_blocks = std::ceil(all_k_blocks(problem) / tile.split_k);
  parts.products = products_clocks(tile, problem);
  const bool is_along_m = tile.swapped && !drains_whole_lines_only_swapped(tile, problem);
  const double by_rows = begins_anywhere(problem.d) ? fitted::kTileByAnyRows : fitted::kTileByRows;
  parts.tile = fitted::kGroupsTile + (is_by_rows(tile, problem) ? by_rows : 0) +
               (is_along_m ? fitted::kTileAlongM : 0);
  parts.epilogue = clocks_to_drain(tile, problem);
  if (tile.split_k > 1)
    parts.reduction = clocks_to_reduce(
        tile, tiles_of({tile.m, tile.n}, problem.m.value, problem.n.value, problem.batch.value),
        width_bytes(problem.accumulate));
  return parts;
}

/// Tiles along the problem's M and N, which are a transposed kernel's N and M.
TileGrid grid_of(const Tile& tile, const KernelProblem& problem, const DeviceInfo& device) {
  const bool is_across = problem.transposed;
  const ClusterShape& cluster = tile.cluster;
  TileGrid grid;
  grid.tile_rows = is_across ? tile.n : tile.m;
  grid.cluster_rows = is_across ? cluster.n : cluster.m;
  grid.tiles_across = is_across ? ceil_div(problem.m.value, Index{tile.m})
                                : ceil_div(problem.n.value, Index{tile.n});
  grid.clusters_across = ceil_div(grid.tiles_across, Index{is_across ? cluster.m : cluster.n});
  grid.split_k = tile.split_k;
  grid.cluster = blocks(cluster);
  const int met = tile.reduction == SplitK::distributed ? tile.split_k : 1;
  const Index together = blocks_at_once({cluster.m * met, cluster.n}, device);
  grid.slots = std::max<Index>(together / grid.cluster, 1) * tile.co_resident;
  grid.ping_pong = tile.ping_pong;
  grid.co_resident = tile.co_resident;
  grid.leaves_half = stages_of_half(tile, problem, device) > 0;
  return grid;
}

}  // namespace

KernelCost kernel_cost(const Tile& tile, const KernelProblem& problem, const DeviceInfo& device) {
  KernelCost cost;
  cost.grid = grid_of(tile, problem, device);
  cost.memory = memory_cost(tile, problem, device, cost.grid);
  cost.feed = feed_cost(tile, problem, device);
  cost.parts = fixed_parts(tile, problem);
  cost.felt = felt_end(tile, problem);
  cost.launches = problem.launches;
  return cost;
}

LeastClocks::LeastClocks(const KernelProblem& problem, const DeviceInfo& device)
    : problem_(problem),
      device_(device),
      traffic_(problem, device),
      k_blocks_(all_k_blocks(problem)) {}

double LeastClocks::end_of(const Tile& tile) const {
  return fitted::kGroupsTile + clocks_to_drain(tile, problem_);
}

LeastClocks::OfShape LeastClocks::of_shape(Tile tile) const {
  const double of_matrix = tiles_of({tile.m, tile.n}, problem_.m.value, problem_.n.value, 1);
  const double tiles = std::max(of_matrix * static_cast<double>(problem_.batch.value), 1.0);
  tile.split_k = kSplitKAtRunTime;
  return {.tiles = tiles,
          .rounds = std::ceil(tiles / device_.sm_count),
          .begin = fitted::kGroupsLaunch + start_of(tile),
          .k_block = least_k_block(tile, problem_),
          .power = least_power(tile),
          .traffic = traffic_(tile)};
}

/// Of a tile that is cut into so many slices, has such an end, and moves so much.
double LeastClocks::of_slices(const Tile& tile, const OfShape& shape, int split_k, double end,
                              const Traffic& traffic, double reduction) const {
  constexpr double kRounding = 1 - std::numeric_limits<float>::epsilon();
  const double rounds = split_k > 1 ? 1 : shape.rounds;
  const double ends =
      tile.ping_pong > 1 ? std::min(rounds, 1.0) : std::ceil(rounds / tile.co_resident);
  const double work =
      (rounds * std::ceil(k_blocks_ / split_k) * shape.k_block + ends * end) * shape.power;
  const bool is_alone = tile.split_k != kSplitKAtRunTime && blocks(tile.cluster) == 1;
  const double moved =
      is_alone ? clocks_of(traffic, shape.tiles * split_k) : traffic.bytes / traffic.rate;
  const double memory = moved + (tile.ping_pong > 1 ? fitted::kLastOfTeam : 1) * end;
  return kRounding * (shape.begin + std::max(work, memory) +
                      fitted::kLeast * std::min(work, memory) + reduction);
}

double LeastClocks::in_any_split_k(Tile tile, int most) const {
  tile.split_k = kSplitKAtRunTime;
  const OfShape shape = of_shape(tile);
  const double whole = of_slices(tile, shape, 1, end_of(tile), shape.traffic, 0);
  if (most < 2) return whole;
  // Many slices have the fewest k-blocks, two of them meet soonest, in a cluster or not.
  const int width = width_bytes(problem_.accumulate);
  Tile in_cluster = tile;
  in_cluster.reduction = SplitK::distributed;
  const double reduction =
      std::min(clocks_to_reduce(tile, 0, width), clocks_to_reduce(in_cluster, 0, width));
  return std::min(whole,
                  of_slices(tile, shape, most, fitted::kGroupsTile, shape.traffic, reduction));
}

double LeastClocks::operator()(const Tile& tile, const OfShape& shape, double enough) const {
  const double reduction =
      tile.split_k > 1 ? clocks_to_reduce(tile, 0, width_bytes(problem_.accumulate)) : 0;
  const double sooner =
      of_slices(tile, shape, tile.split_k, fitted::kGroupsTile, shape.traffic, reduction);
  return sooner > enough
             ? sooner
             : of_slices(tile, shape, tile.split_k, end_of(tile), traffic_(tile), reduction);
}

namespace {

/// What blocks do beside memory, at full power.
void set_work(Outcome& result, const KernelCost& cost, const KBlock& k_block) {
  const TileGrid& grid = cost.grid;
  const Prediction& parts = cost.parts;
  // Blocks beside each other share what loads and multiplies, and wait at the same time.
  const double products = parts.k_blocks * k_block.clocks *
                          (grid.ping_pong > 1 ? fitted::kTeamsTurn : 1) *
                          static_cast<double>(grid.co_resident);
  result.tile = parts.tile + (grid.ping_pong == 1 && result.waves > 1 ? fitted::kWalk : 0);
  const double end = result.tile + parts.epilogue;
  // Two teams hide each other's ends, as far as products last.
  result.ends = grid.ping_pong == 1
                    ? result.waves
                    : 1 + result.waves * (std::max(0.0, end - products) / (2 * end) + cost.felt);
  result.work = result.waves * products + result.ends * end;
  // Memory rests while the last tile leaves, less where it has half of the threads to itself.
  result.last_end = grid.ping_pong == 1 ? end : fitted::kLastOfTeam * end;
}

/// Until slices are added of which so many blocks run.
double clocks_until_reduced(const KernelCost& cost, double blocks, double memory) {
  const double at_work = std::min(blocks / blocks_together(cost.grid), 1.0);
  const double apart = cost.grid.cluster > 1
                           ? fitted::kApart * memory
                           : fitted::kApartAlone * std::max(memory - fitted::kTogetherAlone, 0.0);
  return cost.parts.reduction * (1 + fitted::kAllReduce * at_work) +
         std::min(apart, fitted::kMostApart);
}

}  // namespace

double clocks_of_moves(const MovedBytes& moved, Index m, Index batch) {
  const double bytes = static_cast<double>(m) * moved.row + moved.other;
  return bytes > 0 ? fitted::kMoves + static_cast<double>(batch) * bytes / fitted::kMoved : 0;
}

Outcome outcome(const KernelCost& cost, Index m, Index batch) {
  const Prediction& parts = cost.parts;
  const KBlock k_block =
      cost.feed ? k_block_of(*cost.feed, parts.products, m) : KBlock{parts.feed, parts.k_block};
  const Rounds all = rounds_of(cost.grid, m, batch);
  Outcome result;
  result.feed = k_block.feed;
  result.k_block = k_block.clocks;
  result.waves = all.waves;
  set_work(result, cost, k_block);
  if (cost.grid.cluster > 1)
    result.start = fitted::kClusterBlock * all.blocks *
                   std::clamp(2 - result.work / fitted::kHidesLaunch, 0.0, 1.0);
  const MemoryClocks clocks = memory_clocks(cost, m, batch, all);
  result.memory = clocks.needed;
  result.past_the_edge = clocks.past_the_edge;
  result.in_pairs = clocks.in_pairs;
  const double memory = result.memory + result.past_the_edge + result.last_end;
  if (cost.feed && result.work > std::max(fitted::kMoreThanMemory * memory, fitted::kLongWork))
    result.power = 1 + cost.feed->power_clocks / k_block.clocks;
  result.work *= result.power;
  // Where memory decides, the tile that leaves most of the time to it; neither runs at its best
  // where both have as much to do.
  const double less = std::min(result.work, memory), more = std::max(result.work, memory);
  result.least = fitted::kLeast * less + delay(less, more);
  if (cost.grid.split_k > 1)
    result.reduction = clocks_until_reduced(cost, all.blocks, result.memory);
  result.start += parts.start;
  const double alone = parts.launch + result.start + more + result.least;
  result.is_early = cost.launches == Launches::behind_others && begins_early(cost, m, batch, alone);
  result.start += result.is_early ? clocks_without_room(cost, all.blocks, all.waves)
                                  : clocks_of_late_start(alone);
  if (cost.feed)
    result.start += std::clamp(2 - alone / fitted::kShort, 0.0, 1.0) *
                    clocks_of_first_rows(*cost.feed, m, all.blocks, all.waves);
  result.moves = clocks_of_moves(cost.moved, m, batch);
  result.clocks =
      parts.launch + result.start + more + result.least + result.reduction + result.moves;
  return result;
}

}  // namespace jute::plan
