#pragma once
// How one list of groups is dealt to the blocks of a plan's grid.
#include <jute/base/export.hpp>
#include <jute/plan/values/plan.hpp>

#include <span>
#include <vector>

namespace JUTE_API jute {

/// A tile of D: its group, and its number along the kernel's M and N within that group's part.
struct DealtTile {
  Index group = 0, m = 0, n = 0;
  bool operator==(const DealtTile&) const = default;
};

/// Which tiles each block of the grid computes, in its order.
struct GroupDeal {
  std::vector<std::vector<DealtTile>> blocks;
  Index tiles = 0;    ///< of all groups
  Index longest = 0;  ///< tiles of the block that has most
  Index least = 0;    ///< what `longest` is at least, however tiles are dealt to so many blocks
  bool operator==(const GroupDeal&) const = default;
};

/// Deals the tiles of groups as the plan's kernel does: one group behind the other, block b of a
/// grid of g has tiles b, b + g, b + 2g … `list` is what the device would read: running ends, or of
/// masked rows counts.
///   throws  illegal_problem: no groups along M or N; a list of another length, or an entry that
///           goes down or past the bound, named with the nearest legal one
[[nodiscard]] GroupDeal deal_groups(const Plan& plan, std::span<const Index> list);

}  // namespace jute
