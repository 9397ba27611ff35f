// Bounds that stay below what the formulas say, for whatever clusters and slices of a tile.
#include "plan/cost/least_clocks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "plan/cost/drain_cost.hpp"
#include "plan/cost/feed_cost.hpp"
#include "plan/cost/fitted.hpp"
#include "plan/cost/rounds.hpp"
#include "plan/cost/slice_cost.hpp"
#include "plan/cost/warpgroup_cost.hpp"

namespace jute::plan {
namespace {

/// Slices of a tile that stands for itself in however many.
Cut said_late(SplitK reduction) { return {.split_k = 0, .reduction = reduction}; }

}  // namespace

LeastClocks::LeastClocks(const Block& block, const Grid& grid, const ChipRates& rates)
    : block_(block),
      grid_(grid),
      rates_(rates),
      rounds_(std::ceil(grid.tiles / rates.sms)),
      begin_(fitted::kGroupsLaunch + clocks_until_products(block)),
      k_blocks_(k_blocks(block, grid)),
      k_block_(least_k_block(block)),
      power_(least_power(block)),
      traffic_(least_traffic(block, grid, said_late(SplitK::last_adds), rates)) {}

double LeastClocks::end_of(const Block& block, const Cut& cut) const {
  return fitted::kGroupsTile + clocks_to_drain(block, cut);
}

double LeastClocks::reduction_of(const Cut& cut) const { return clocks_to_reduce(block_, cut); }

/// The least clocks of a tile that is cut into so many slices, has such an end, and moves so much.
double LeastClocks::of_slices(int split_k, bool is_known, double end, const Traffic& traffic,
                              double reduction) const {
  constexpr double kRounding = 1 - std::numeric_limits<float>::epsilon();
  const double rounds = split_k > 1 ? 1 : rounds_;
  const double ends =
      takes_turns(block_) ? std::min(rounds, 1.0) : std::ceil(rounds / co_resident(block_));
  const double work = (rounds * std::ceil(k_blocks_ / split_k) * k_block_ + ends * end) * power_;
  const bool is_alone = is_known && blocks_of_cluster(block_) == 1;
  const double moved =
      is_alone ? clocks_of(traffic, grid_.tiles * split_k) : traffic.bytes / traffic.rate;
  const double memory = moved + end;
  return kRounding *
         (begin_ + std::max(work, memory) + fitted::kLeast * std::min(work, memory) + reduction);
}

double LeastClocks::in_any_split_k(int most_slices, SplitK reduction) const {
  const double whole = of_slices(1, false, end_of(block_, said_late(reduction)), traffic_, 0);
  if (most_slices < 2) return whole;
  // Many slices have the fewest k-blocks, two of them meet soonest, in a cluster or not.
  const double met =
      std::min(reduction_of(said_late(reduction)), reduction_of(said_late(SplitK::distributed)));
  return std::min(whole, of_slices(most_slices, false, fitted::kGroupsTile, traffic_, met));
}

double LeastClocks::but_for_end(const Cut& cut) const {
  return of_slices(cut.split_k, true, fitted::kGroupsTile, traffic_,
                   cut.split_k > 1 ? reduction_of(cut) : 0);
}

double LeastClocks::operator()(const Block& block, const Cut& cut) const {
  return of_slices(cut.split_k, true, end_of(block, cut), least_traffic(block, grid_, cut, rates_),
                   cut.split_k > 1 ? reduction_of(cut) : 0);
}

Bound least_of_rounds(const KernelCost& cost, const Grid& grid) {
  const Block& block = cost.block;
  const double rounds = rounds_of(block, grid, cost.cut, cost.law.rates.sms).waves;
  const double k_block =
      std::max(products_clocks(block), least_feed(block, cost.law.rates.tma_issue));
  return {rounds, fitted::kGroupsLaunch + clocks_until_products(block) +
                      fitted::kLeastPower * rounds *
                          (k_blocks(block, grid, cost.cut) * k_block + clocks_of_tile(block))};
}

}  // namespace jute::plan
