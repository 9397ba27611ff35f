#pragma once
// A warp-specialised kernel as the cost model sees it, before the rows and the number of matrices
// are known.
#include <jute/base/export.hpp>
#include <jute/plan/cost/prediction.hpp>
#include <jute/plan/values/plan.hpp>

#include <optional>

namespace JUTE_API jute {

/// How tiles cover D, and how many of them the chip works at.
struct TileGrid {
  Index tile_rows = 1, cluster_rows = 1;        ///< along the problem's M; the latter in tiles
  Index tiles_across = 0, clusters_across = 0;  ///< along its N
  Index split_k = 1, cluster = 1;               ///< of K; blocks of a cluster
  Index slots = 1;                              ///< clusters that run at once
  Index ping_pong = 1;                          ///< of consumers, who take turns with tiles
  Index co_resident = 1;                        ///< blocks of an SM that walk beside each other
  bool leaves_half = false;                     ///< of an SM, to a block of the next kernel
  bool operator==(const TileGrid&) const = default;
};

/// An operand of a block on its way to it.
struct FeedSide {
  Index tile = 1, extent = 1;  ///< its rows of the tile, and of the problem
  Index unit = 0;              ///< of a tile at the edge what is left out comes in so many; 0: none
  Index chunk = 1;             ///< rows that lie in a line together
  double row = 0;              ///< clocks of 128 bytes
  double together = 1;         ///< of them, where SMs work at neighbouring tiles
  double together_on_all = 0;  ///< likewise where all do, if that is more
  double first = 0;            ///< clocks that each of many who ask for it at once waits for it
  double pitch = 0;            ///< bytes from k to k where rows lie in lines together, else 0
  double past = 0;             ///< clocks of each such row past the edge of its line
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

/// Rows that tiles have and the problem has not.
struct PastRows {
  Index across = 0;     ///< along the problem's N
  bool along_m = true;  ///< are there such along M? Not where lines hold many rows
  Index edge_unit = 0;  ///< but for multiples of so many, along M; 0: all are fetched
  bool operator==(const PastRows&) const = default;
};

/// Bytes on their way between memory and SMs.
struct MemoryCost {
  double rate = 1;                        ///< that memory moves in a clock
  double k_bytes = 0;                     ///< of an operand's row
  double row_bytes = 0, other_bytes = 0;  ///< that memory moves: of a row of A, of B
  double again_bytes = 0;                 ///< likewise of B, where tiles along M share it
  double again_for_few = 0;               ///< and more of it where M is small
  double tile_bytes = 0;                  ///< of both operands that a block asks for
  double d_row_bytes = 0;                 ///< of a row of D
  WriteRates written;                     ///< what memory moves for those
  PastRows past;
  bool operator==(const MemoryCost&) const = default;
};

/// The bytes that copies of operands move ahead of the kernel: for a row of A, for B.
struct MovedBytes {
  double row = 0, other = 0;
  bool operator==(const MovedBytes&) const = default;
};

/// All that a prediction needs but the rows and the number of matrices; for each number of them it
/// then takes nanoseconds.
struct KernelCost {
  TileGrid grid;
  MemoryCost memory;
  MovedBytes moved;
  std::optional<FeedCost> feed = std::nullopt;  ///< none: a k-block takes what the parts say
  Prediction parts;                             ///< what rows and matrices do not change
  double felt = 0;                              ///< of an end that another team's products hide
  Launches launches = Launches::behind_others;

  [[nodiscard]] Prediction at(Index m, Index batch) const;
  bool operator==(const KernelCost&) const = default;
};
}  // namespace jute
