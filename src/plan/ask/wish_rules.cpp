// Bounds of a caller's numbers, which hold for every kernel.
#include "plan/ask/wish_rules.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>

#include "base/format.hpp"
#include "plan/chip/warp.hpp"

namespace jute::plan {
namespace {

/// Differs least along m and n together; of equals the one with more blocks, then with more along
/// m. Powers of two: boxes of each tile can be shared out among so many, among 3 or 7 of few.
ClusterShape nearest_cluster(const ClusterShape& asked) {
  const auto distance = [&](const ClusterShape& each) {
    return std::abs(Index{asked.m} - each.m) + std::abs(Index{asked.n} - each.n);
  };
  ClusterShape nearest;
  for (int m = kMostClusterBlocks; m >= 1; m /= 2)
    for (int n = kMostClusterBlocks / m; n >= 1; n /= 2) {
      const ClusterShape each{m, n};
      const Index gained = distance(nearest) - distance(each);
      if (gained > 0 || (gained == 0 && blocks(each) > blocks(nearest))) nearest = each;
    }
  return nearest;
}

}  // namespace

std::string blocks_text(const ClusterShape& cluster) {
  return base::format("{}x{}", cluster.m, cluster.n);
}

Errors tile_is_bounded(const TileShape& tile) {
  Errors errors;
  for (const auto& [operand, extent] :
       {std::pair("tile.m", tile.m), std::pair("tile.n", tile.n), std::pair("tile.k", tile.k)})
    if (extent > kLargestExtent)
      errors.push_back(broken(operand, std::to_string(extent),
                              base::format("{} must be at most {}", operand, kLargestExtent),
                              std::to_string(kLargestExtent)));
  return errors;
}

Errors cluster_is_counted(const ClusterShape& cluster) {
  const auto is_one = [](int blocks) { return 1 <= blocks && blocks <= kMostClusterBlocks; };
  if (is_one(cluster.m) && is_one(cluster.n) && blocks(cluster) <= kMostClusterBlocks) return {};
  return {broken("cluster", blocks_text(cluster),
                 base::format("a cluster must have 1 to {} blocks", kMostClusterBlocks),
                 blocks_text(nearest_cluster(cluster)))};
}

Errors ping_pong_is_counted(int ping_pong) {
  if (1 <= ping_pong && ping_pong <= kMostPingPong) return {};
  return {broken("ping_pong", std::to_string(ping_pong),
                 base::format("ping_pong must be from 1 to {} teams", kMostPingPong),
                 std::to_string(std::clamp(ping_pong, 1, kMostPingPong)))};
}

Errors producer_warps_are_counted(int warps) {
  if (warps == 1 || warps == kGroupWarps) return {};
  return {broken("producer_warps", std::to_string(warps),
                 base::format("a producer must have one warp, or {}, which can give registers away",
                              kGroupWarps),
                 std::to_string(warps < kGroupWarps ? 1 : kGroupWarps))};
}

Errors k_starts_are_counted(int starts) {
  if (1 <= starts && starts <= kMostKStarts) return {};
  return {broken("k_starts", std::to_string(starts),
                 base::format("blocks must begin at 1 to {} places of K", kMostKStarts),
                 std::to_string(std::clamp(starts, 1, kMostKStarts)))};
}

Errors matrices_are_counted(int matrices) {
  if (0 <= matrices && matrices <= kMostMatricesPerBlock) return {};
  return {broken("matrices_per_block", std::to_string(matrices),
                 base::format("a block must have 1 to {} matrices of a batch side by side, or 0: "
                              "one, and the batch along the grid's third axis",
                              kMostMatricesPerBlock),
                 std::to_string(std::clamp(matrices, 0, kMostMatricesPerBlock)))};
}

Errors wish_rules(const Config& config) {
  Errors errors;
  const auto add = [&](Errors more) { std::ranges::move(more, std::back_inserter(errors)); };
  if (config.tile) add(tile_is_bounded(*config.tile));
  if (config.cluster) add(cluster_is_counted(*config.cluster));
  if (config.ping_pong) add(ping_pong_is_counted(*config.ping_pong));
  if (config.producer_warps) add(producer_warps_are_counted(*config.producer_warps));
  if (config.matrices_per_block) add(matrices_are_counted(*config.matrices_per_block));
  if (config.k_starts) add(k_starts_are_counted(*config.k_starts));
  return errors;
}

bool is_ranked_but_for_atom(const Config& config) {
  return !config.tile && !config.atom_layout && !config.permutation && !config.smem_a &&
         !config.smem_b;
}

bool is_ranked(const Config& config) { return !config.mma_atom && is_ranked_but_for_atom(config); }

}  // namespace jute::plan
