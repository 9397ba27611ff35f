#pragma once
// Choices that a caller leaves open, and rules of a caller's numbers whatever kernel they are for.
#include <jute/plan/ask/config.hpp>

#include "plan/ask/broken_rule.hpp"

namespace jute::plan {

/// No extent of a tile is larger: more elements than a block has registers.
inline constexpr int kLargestExtent = 65536;
inline constexpr int kMostPingPong = 2;  ///< that take turns
/// Stages: one that is multiplied while the next one comes, and more than hide any latency.
inline constexpr int kLeastStages = 2, kMostStages = 16;

[[nodiscard]] Errors tile_is_bounded(const TileShape& tile);
/// A cluster as a caller writes it: "2x1".
[[nodiscard]] std::string blocks_text(const ClusterShape& cluster);
[[nodiscard]] Errors cluster_is_counted(const ClusterShape& cluster);
[[nodiscard]] Errors ping_pong_is_counted(int ping_pong);
[[nodiscard]] Errors producer_warps_are_counted(int warps);
[[nodiscard]] Errors matrices_are_counted(int matrices);
[[nodiscard]] Errors k_starts_are_counted(int starts);

/// Is all that tiles of warp-specialised kernels are ranked by left to planning?
[[nodiscard]] bool is_ranked(const Config& config);
/// Is all of that left to planning but for the instruction?
[[nodiscard]] bool is_ranked_but_for_atom(const Config& config);

/// All of these, of what a caller chose. Tiles are searched and ranked by them, so it comes first.
[[nodiscard]] Errors wish_rules(const Config& config);

}  // namespace jute::plan
