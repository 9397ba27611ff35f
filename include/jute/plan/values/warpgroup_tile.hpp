#pragma once
// Tiles of a producer and consumers.
#include <jute/base/export.hpp>
#include <jute/plan/ask/schedule.hpp>

#include <optional>

namespace JUTE_API jute {

/// Warps that multiply what another warp keeps loading.
struct WarpgroupTile {
  int m, n;
  int k_bytes;
  int atoms_m, atoms_n;  ///< of the instruction: each a group of threads
  int stages;            ///< or as many as fit
  ClusterShape cluster;
  FirstStages first_stages = FirstStages::after_barrier;
  Release release = Release::after_main_loop;
  int raster_width = 8;
  int split_k = 1;
  Index whole_tiles = 0;  ///< that slices leave whole
  SplitK reduction = SplitK::last_adds;
  int ping_pong = 1;
  int co_resident = 1;             ///< blocks of an SM that walk over tiles beside each other
  bool swapped = false;            ///< of the transposed problem
  bool m_at_run_time = false;      ///< the grid is to suit every M, not the planned one alone
  bool width_at_run_time = false;  ///< n is the greatest of the widths that a launch may give tiles
  bool split_k_at_run_time = false;  ///< and it may cut them into slices of K
  bool is_generic = false;           ///< of the short list that problems share
  /// What stages hold of rows past the edge, where that is no more to be chosen.
  std::optional<EdgeRows> edge_rows = std::nullopt;
  bool operator==(const WarpgroupTile&) const = default;
};

/// Slices of a tile that stands for itself in however many.
inline constexpr int kSplitKAtRunTime = 0;
/// Does a launch say more of the work than the planned problem does?
[[nodiscard]] inline bool is_said_late(const WarpgroupTile& tile) {
  return tile.m_at_run_time || tile.width_at_run_time || tile.split_k_at_run_time;
}

}  // namespace jute
