#pragma once
// A block's work for a tile and a k-tile, as counts: what predictions are made of, with the rates
// of a chip.
#include <jute/base/export.hpp>
#include <jute/base/types.hpp>
#include <jute/plan/ask/schedule.hpp>

#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace JUTE_API jute {

/// Counts of one tile and one k-tile: instructions, bytes, sectors, registers, and no clocks, so
/// that coefficients may change while plans stay what they are.
struct Block {
  // The computation, and its operands.
  double m = 1, n = 1, k = 1;  ///< of a tile, and of a k-tile
  double matrices = 1;         ///< of a batch that it has side by side, all of which it counts
  double threads = 1;
  double warps = 1;          ///< that share all this out
  double registers = 0;      ///< of a thread; 0: others are not what there is room for
  double on_the_way = 0;     ///< of those, for what a thread has asked for
  double smem_bytes = 0;     ///< bytes of shared memory that a block has
  double most_resident = 0;  ///< blocks of an SM, whatever room it has; 0: all that there is for
  // In a k-tile.
  double products = 0;     ///< multiply-adds
  double smem_read = 0;    ///< bytes on shared memory's path
  double accesses = 0;     ///< of warps, or sectors of theirs, each of which takes that path once
  double copies = 0;       ///< instructions of warps that copy, or rows that TMA brings
  double converted = 0;    ///< instructions of warps that make stored elements what is multiplied
  double boxes = 0;        ///< of Views, that a thread asks TMA for
  double maps = 0;         ///< of a group's operands, which a thread makes ahead of them
  double ahead = 1;        ///< k-tiles that are asked for before they are waited for
  double begins_with = 0;  ///< of those copies, such as go out as it begins
  double parts = 1;        ///< groups of warps that share out K and add their sums
  double stores = 1;       ///< instructions for what one stores of D at best
  // The traffic of memory.
  double width = 0;    ///< bytes of an element as it is multiplied
  double a_bytes = 0;  ///< of an element of A in memory
  double b_bytes = 0, d_bytes = 0;
  double a_begins = 128, b_begins = 128;  ///< bytes that rows begin at multiples of, as multiplied
  double a_pitch = 0, b_pitch = 0;  ///< bytes from k to k, of a line at most; 0: rows lie along K
  double streams = 0;  ///< part of the larger operand that each row of tiles reads from memory
  // Where threads load what they multiply, of one of them.
  double a_loads = 0, b_loads = 0;
  double a_rows = 0, b_rows = 0;  ///< that are there of the eight of a load
  double instructions = 0;        ///< of a warp that multiply
  double stored_bits = 0;         ///< of an element of the larger operand; 0: none is stored
  double stored_made = 0;         ///< instructions that make its elements what is multiplied
  double ring = 1;                ///< stages that these come by; 1: registers
  // Where warpgroups multiply what TMA brings.
  double teams = 0;                     ///< of consumers, who take turns with tiles; 0: none
  double cluster_m = 1, cluster_n = 1;  ///< blocks that share what they load
  double terms = 1;                     ///< of an element that is split
  double run = 0;                       ///< k after which threads add sums of terms; 0: nobody does
  double scaled = 0;  ///< instructions of warpgroups for scales and the sums between them
  double a_unit = 0, b_unit = 0;  ///< rows past the edge are left out in so many; 0: none are
  double few_stages = 0;          ///< that a width of many leaves room for; 0: enough
  double half_stages = 0;         ///< with which it leaves half of an SM to another
  double behind = 0;              ///< launches of others that it begins behind
  // How D leaves those.
  double sum_bytes = 0;             ///< of an accumulator
  double d_along_m = 0;             ///< part of D's lines that lie along M
  double d_direct = 0, d_rows = 0;  ///< parts that threads store as they hold them, and by rows
  double d_anywhere = 0;            ///< part of its rows that begin where TMA cannot
  double d_cut_sectors = 0;         ///< part of them that begin inside sectors, and count
  bool operator==(const Block&) const = default;
};

/// A count by its name.
struct BlockMember {
  std::string_view name, unit;
  double Block::*member;
};
/// All of them, in their order.
[[nodiscard]] std::span<const BlockMember> block_members();
/// The counts that are not 0: `m=128 n=256 k=32 …`.
[[nodiscard]] std::string to_string(const Block& block);

static_assert(std::is_trivially_copyable_v<Block> && std::is_aggregate_v<Block>);

/// A run's tiles and k-tiles: all that other rows change, filled without allocating.
struct Grid {
  double m = 1, n = 1, k = 1, batch = 1;  ///< extents of the product as the kernel sees it
  double rows_along_n = 0;                ///< 1: the product's M, which launches say, is its N
  double tiles = 1;                       ///< blocks, before K is cut
  double k_tiles = 1;                     ///< along all of K
  bool operator==(const Grid&) const = default;
};
[[nodiscard]] Grid grid_of(const Block& block, Index m, Index n, Index k, Index batch);
/// The same for so many of the product's rows.
[[nodiscard]] Grid with_rows(const Block& block, Grid grid, Index m, Index batch);

/// Slices of K, the tiles that they leave whole, ahead of those that are cut, and who adds sums.
struct Cut {
  int split_k = 1;
  Index whole_tiles = 0;
  SplitK reduction = SplitK::last_adds;
  bool operator==(const Cut&) const = default;
};

}  // namespace jute
