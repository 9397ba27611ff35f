#pragma once
// How one list of groups is dealt to the blocks of a plan's grid.
#include <jute/base/export.hpp>
#include <jute/plan/values/fields.hpp>
#include <jute/plan/values/plan.hpp>

#include <span>
#include <string>
#include <vector>

namespace JUTE_API jute {

/// A tile of D: its group, and its number along the kernel's M and N within that group's part.
struct DealtTile {
  Index group = 0, m = 0, n = 0;
  Index k_tiles = 1;  ///< how long it takes; of a group without K one, for what it stores
  bool operator==(const DealtTile&) const = default;
};

/// Which tiles each block computes, in its order, one behind the other from time 0 on. All k-tiles
/// count the same.
struct GroupDeal {
  std::vector<std::vector<DealtTile>> blocks;  ///< of those that run at once
  std::vector<Index> of_groups;                ///< how many tiles each has
  Index tiles = 0;                             ///< of all groups
  Index makespan = 0;                          ///< k-tiles until the last block ends
  /// No deal's makespan is less: the blocks' equal parts of all k-tiles, or the longest tile.
  Index bound = 0;
  bool operator==(const GroupDeal&) const = default;
};

/// Deals the tiles of groups as the plan's kernel does, one group behind the other: of a grid of g
/// blocks that walk, block b has tiles b, b + g, b + 2g …; where each block has one tile, the next
/// begins where one ends. `list` is what the device would read: running ends, of masked rows
/// counts, or of a list by rows each row's group.
///   throws  illegal_problem: no groups; a list of another length, or an entry that goes down or
///           past the bound, named with the nearest legal one
[[nodiscard]] GroupDeal deal_groups(const Plan& plan, std::span<const Index> list);

/// Numbers of the deal, and the tiles of each group.
[[nodiscard]] Fields fields(const GroupDeal& deal);
/// `27 tiles over 132 blocks: 4 k-tiles until the last block ends, at least 4`.
[[nodiscard]] std::string to_string(const GroupDeal& deal);

}  // namespace jute
