#pragma once
// What a warp-specialised kernel is expected to take, part by part.
#include <jute/base/export.hpp>
#include <jute/plan/fields.hpp>
#include <jute/plan/plan.hpp>

#include <optional>

namespace JUTE_API jute {

/// Clocks of an SM from launch to end, by cause; ratios between kernels of one problem are what
/// counts. The sum is
///   moves + launch + start + max(work, memory + past_the_edge + last_end) + least + meet
///   work = (waves × k_blocks × k_block + ends × (tile + epilogue)) × power
struct Prediction {
  double launch = 0;         ///< from one kernel to the next
  double start = 0;          ///< until the first products, begun early or behind a main loop
  double waves = 0;          ///< rounds of tiles
  double k_blocks = 0;       ///< of a tile, 128 bytes of a row each
  double products = 0;       ///< clocks of the tensor cores for one of them
  double feed = 0;           ///< clocks until one has come and its products could be issued
  double k_block = 0;        ///< clocks that one takes
  double tile = 0;           ///< of each tile, however long K is
  double epilogue = 0;       ///< of each tile: D leaves
  double ends = 0;           ///< of tiles that no other team's products hide
  double power = 1;          ///< what the power limit makes of the clocks above
  double work = 0;           ///< all of that together
  double memory = 0;         ///< to move the operands and D once
  double past_the_edge = 0;  ///< to fetch rows that tiles have and the problem has not
  double last_end = 0;       ///< of the last tile, while memory rests
  double least = 0;          ///< what work and memory take from each other
  double meet = 0;           ///< until slices of K are added
  double moves = 0;          ///< to copy operands into the workspace first
  double clocks = 0;
  bool operator==(const Prediction&) const = default;
};
[[nodiscard]] Fields fields(const Prediction& prediction);

/// An operand of a block on its way to it.
struct FeedSide {
  Index tile = 1, extent = 1;  ///< its rows of the tile, and of the problem
  Index unit = 0;              ///< of a tile at the edge what is left out comes in so many; 0: none
  Index chunk = 1;             ///< rows that lie in a line together
  double row = 0;              ///< clocks of 128 bytes
  double together = 1;         ///< of them, where all SMs work at neighbouring tiles
  double together_on_few = 1;  ///< likewise where few do
  double width = 0;            ///< bytes of an element where rows lie in lines together, else 0
  int sharers = 1;             ///< blocks of a cluster that ask for it together
  bool operator==(const FeedSide&) const = default;
};

/// In what time the rows of both operands of a k-block reach an SM, by the problem's rows.
struct FeedCost {
  FeedSide rows, columns;    ///< along the problem's M, along its N
  Index most_readers = 1;    ///< blocks that may ask for the same at once
  int cluster = 1;           ///< blocks
  double whole_lines = 0;    ///< bytes in a clock where rows begin at whole lines; 0: some do not
  bool is_together = false;  ///< have neighbouring blocks neighbouring tiles, if all run at once?
  double loads = 1;          ///< k-blocks that come for each that is multiplied
  double hidden = 0;         ///< clocks of loads and zeros that products hide
  double least = 0;          ///< clocks of a k-block, however few its rows are
  double more = 0;           ///< clocks beside the longer of feed and products
  double half_lines = 1;     ///< factor: what rows of half a line take longer
  double power_clocks = 0;   ///< of products, by which power limits long work
  bool operator==(const FeedCost&) const = default;
};

/// Bytes that memory moves for a byte of D: where the L2 cache holds all of it, and where not.
struct WriteRates {
  double cached = 1, whole = 1;
  bool operator==(const WriteRates&) const = default;
};

/// A kernel as the model sees it before the rows and the number of matrices are known: a
/// prediction for each number of them takes nanoseconds.
struct KernelCost {
  Index tile_rows = 1, cluster_rows = 1;  ///< along the problem's M: of a tile, tiles of a cluster
  Index tiles_across = 0, clusters_across = 0, past_across = 0;  ///< along N; the rest of the last
  bool has_past_rows = true;                    ///< are rows past M fetched? Not along M
  Index edge_unit = 0;                          ///< but for multiples of so many; 0: all are
  Index slices = 1, cluster = 1, slots = 1;     ///< of K; blocks of a cluster; clusters that run
  Index teams = 1;                              ///< of consumers, who take turns with tiles
  Index beside = 1;                             ///< blocks of an SM that walk beside each other
  double felt = 0;                              ///< of an end that another team's products hide
  double row_bytes = 0, other_bytes = 0;        ///< memory: of a row of A, of B
  double again_bytes = 0;                       ///< likewise of B, where tiles along M share it
  double again_for_few = 0;                     ///< and more of it where M is small
  double d_row_bytes = 0;                       ///< of a row of D
  WriteRates written;                           ///< what memory moves for its bytes
  double dram = 1;                              ///< bytes that memory moves in a clock
  double k_bytes = 0;                           ///< of an operand's row
  double tile_bytes = 0;                        ///< of both that a block asks for
  double moved_row_bytes = 0, moved_bytes = 0;  ///< read and written by copies: of a row of A, of B
  Prediction parts;                             ///< what does not depend on them
  std::optional<FeedCost> feed = std::nullopt;  ///< none: a k-block takes what the parts say

  [[nodiscard]] Prediction at(Index m, Index batch) const;
  bool operator==(const KernelCost&) const = default;
};
/// Of the plan's GEMM; none for kernels that the model says nothing of: all that are not
/// warp-specialised.
[[nodiscard]] std::optional<KernelCost> kernel_cost(const Plan& plan);

}  // namespace jute
