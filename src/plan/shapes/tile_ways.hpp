#pragma once
// What kernels of each family of tiles can do beside multiplying whole matrices.
#include <jute/base/arch_feature.hpp>
#include <jute/plan/values/group_maps.hpp>

#include <array>
#include <variant>

#include "plan/values/candidates.hpp"

namespace jute::plan {

struct TileWays {
  bool walks_views;       ///< threads bring and drain elements from where Views have them
  bool boxes_views;       ///< TMA does
  bool deals_groups;      ///< a block finds its tile by the device's list
  bool takes_parts_of_k;  ///< a tile's k-tiles begin and end where the list says
  bool takes_halves;      ///< a thread has a gate's accumulator beside what it gates
  bool takes_pairs;       ///< also where columns of B are those of both by turns
  bool scales_products;   ///< sums of a run of k are multiplied as they are added
  bool finds_rows;        ///< threads bring and drain the rows that tables name
};

/// In the order of Tile's families.
// clang-format off
inline constexpr std::array<TileWays, std::variant_size_v<Tile>> kTileWays{{
  {true,  false, true,  true,  true,  true,  false, true},   // ThreadTile
  {true,  false, true,  true,  true,  true,  true,  true},   // WarpTile
  {false, true,  true,  false, true,  false, true,  false},  // WarpgroupTile
  {false, false, false, false, true,  false, false, false},  // StraightTile
  {false, false, false, false, true,  false, false, false},  // LaneTile
  {false, false, false, false, true,  false, false, false},  // DotTile
  {false, false, false, false, false, false, false, false},  // LineTile
}};
// clang-format on

[[nodiscard]] inline const TileWays& ways_of(const Candidate& candidate) {
  return kTileWays.at(candidate.tile.index());
}

/// Do such kernels find their tiles of groups, if there are any? Those to which TMA brings operands
/// that only the device's list has make maps, and know what each tile has of K when it begins.
[[nodiscard]] inline bool finds_groups(const Candidate& candidate,
                                       const std::optional<KernelGroups>& groups, Arch arch) {
  const TileWays& ways = ways_of(candidate);
  if (!groups || deals_tiles(groups)) return !groups || ways.deals_groups;
  const auto* tile = std::get_if<WarpgroupTile>(&candidate.tile);
  return ways.takes_parts_of_k ||
         (lists_operands(groups) && tile != nullptr && tile->ping_pong == 1 &&
          provides(arch, ArchFeature::tensor_map_edits));
}

}  // namespace jute::plan
