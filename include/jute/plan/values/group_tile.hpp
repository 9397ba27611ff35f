#pragma once
// Tiles of a producer and consumers.
#include <jute/base/export.hpp>
#include <jute/plan/ask/schedule.hpp>

#include <optional>

namespace JUTE_API jute {

/// Warps that multiply what another warp keeps loading.
struct GroupTile {
  int m, n;
  int k_bytes;
  int atoms_m, atoms_n;  ///< of the instruction: each a group of threads
  int stages;            ///< or as many as fit
  ClusterShape cluster;
  FirstStages first_stages = FirstStages::after_barrier;
  Release release = Release::after_main_loop;
  int raster_group = 8;
  int slices = 1;
  Index whole_tiles = 0;  ///< that slices leave whole
  Meeting meeting = Meeting::last_adds;
  int teams = 1;
  int beside = 1;           ///< blocks of an SM that walk over tiles beside each other
  bool swapped = false;     ///< of the transposed problem
  bool any_m = false;       ///< the grid is to suit every M, not the planned one alone
  bool any_width = false;   ///< n is the greatest of the widths that a launch may give tiles
  bool any_slices = false;  ///< and it may cut them into slices of K
  bool is_shared = false;   ///< of the short list that problems share
  /// What stages hold of rows past the edge, where that is no more to be chosen.
  std::optional<EdgeRows> edge_rows = std::nullopt;
  bool operator==(const GroupTile&) const = default;
};

/// Slices of a tile that stands for itself in however many.
inline constexpr int kAnySlices = 0;
/// Does a launch say more of the work than the planned problem does?
[[nodiscard]] inline bool is_said_late(const GroupTile& tile) {
  return tile.any_m || tile.any_width || tile.any_slices;
}

}  // namespace jute
