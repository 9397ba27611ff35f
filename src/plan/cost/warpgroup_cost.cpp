// Launch, rounds of tiles, what slices and the power limit cost: the sum of a kernel's clocks.
#include "plan/cost/warpgroup_cost.hpp"

#include <algorithm>
#include <cmath>

#include "plan/cost/drain_cost.hpp"
#include "plan/cost/feed_cost.hpp"
#include "plan/cost/fitted.hpp"
#include "plan/cost/memory_cost.hpp"
#include "plan/cost/release.hpp"
#include "plan/cost/rounds.hpp"
#include "plan/cost/slice_cost.hpp"

namespace jute::plan {
namespace {

/// By how much two that go on at the same time delay each other, the more the more equal they are:
/// together they take the eighth root of the sum of their eighth powers.
double delay(double less, double more) {
  const double part = less / std::max(more, 1.0), square = part * part, fourth = square * square;
  return more * std::sqrt(std::sqrt(std::sqrt(1 + fourth * fourth))) - more;
}

/// Sets the work of blocks beside memory, at full power.
void set_work(Prediction& result, const Block& block) {
  // Blocks beside each other share what loads and multiplies, and wait at the same time.
  const double products = result.k_blocks * result.k_block * co_resident(block);
  if (!takes_turns(block) && result.waves > 1) result.tile += fitted::kWalk;
  const double end = result.tile + result.epilogue;
  // Two teams hide each other's ends, as far as products last.
  result.ends =
      !takes_turns(block)
          ? result.waves
          : 1 + result.waves * (std::max(0.0, end - products) / (2 * end) + felt_end(block));
  result.work = result.waves * products + result.ends * end;
  result.last_end = end;  // memory rests while the last tile leaves
}

/// Until slices are added: those of a cluster whose data memory brings at different times wait for
/// each other.
double clocks_until_reduced(const Block& block, const Cut& cut, double memory) {
  return clocks_to_reduce(block, cut) +
         (blocks_of_cluster(block) > 1 ? std::min(fitted::kApart * memory, fitted::kMostApart) : 0);
}

/// The clocks of a cluster's blocks until all are launched, as far as work does not hide it.
double clocks_of_clusters(const Block& block, const Rounds& rounds, double work) {
  if (blocks_of_cluster(block) == 1) return 0;
  return fitted::kClusterBlock * rounds.blocks *
         std::clamp(2 - work / fitted::kHidesLaunch, 0.0, 1.0);
}

/// The clocks felt of late k-tiles and a late start, in a kernel that takes so many clocks by
/// itself.
double clocks_felt_early(const Block& block, const Grid& grid, const Cut& cut, const Feed& feed,
                         const Rounds& rounds, const Prediction& expected, double alone,
                         double sms) {
  const double late = expected.is_early ? clocks_without_room(block, grid, cut, rounds)
                                        : clocks_of_late_start(alone);
  return late + std::clamp(2 - alone / fitted::kShort, 0.0, 1.0) *
                    clocks_of_first_rows(feed, rounds.blocks, rounds.waves, sms);
}

}  // namespace

// Blocks hide the starts of those that begin beside them on their SM.
double clocks_until_products(const Block& block) {
  return (co_resident(block) > 1 ? 0 : fitted::kGroupsStart) +
         (blocks_of_cluster(block) > 1 ? fitted::kClusterStart : 0) +
         fitted::kClusterDoubled * doublings(block);
}

Prediction warpgroup_clocks(const Block& block, const Grid& grid, const Cut& cut,
                            const ChipRates& rates) {
  const BothOperands operands = operands_of(block, grid);
  const Rounds rounds = rounds_of(block, grid, cut, rates.sms);
  const Feed feed = feed_of(block, grid);
  const KBlock k_block = k_block_of(block, grid, cut, feed, rates);
  Prediction result;
  result.launch = fitted::kGroupsLaunch;
  result.waves = rounds.waves;
  result.k_blocks = k_blocks(block, grid, cut);
  result.products = products_clocks(block);
  result.feed = k_block.feed;
  result.k_block = k_block.clocks;
  result.tile = clocks_of_tile(block);
  result.epilogue = clocks_to_drain(block, cut);
  set_work(result, block);
  result.start = clocks_of_clusters(block, rounds, result.work);
  const MemoryClocks clocks = memory_clocks(block, grid, cut, operands, rounds, rates);
  result.memory = clocks.needed;
  result.past_the_edge = clocks.past_the_edge;
  result.in_pairs = clocks.in_pairs;
  const double memory = result.memory + result.past_the_edge + result.last_end;
  if (result.work > std::max(memory, fitted::kLongWork))
    result.power = 1 + k_block.power / k_block.clocks;
  result.work *= result.power;
  // Where memory decides, the tile that leaves most of the time to it; neither runs at its best
  // where both have as much to do.
  const double less = std::min(result.work, memory), more = std::max(result.work, memory);
  result.least = fitted::kLeast * less + delay(less, more);
  if (cut.split_k > 1) result.reduction = clocks_until_reduced(block, cut, result.memory);
  // Maps are written to the cache that TMA finds them in; later groups' while stages are full.
  result.start += clocks_until_products(block) + block.maps * rates.load_latency;
  const double alone = result.launch + result.start + more + result.least;
  result.is_early = block.behind > 0 && begins_early(block, grid, cut, operands, rounds, alone);
  result.start += clocks_felt_early(block, grid, cut, feed, rounds, result, alone, rates.sms);
  result.clocks = result.launch + result.start + more + result.least + result.reduction;
  return result;
}

}  // namespace jute::plan
