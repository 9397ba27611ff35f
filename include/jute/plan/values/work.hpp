#pragma once
// What a tile of each family does: what predictions are made of, with the rates of a chip.
#include <jute/atom/atom.hpp>
#include <jute/base/export.hpp>
#include <jute/plan/ask/config.hpp>
#include <jute/plan/values/extent.hpp>
#include <jute/plan/values/family.hpp>
#include <jute/plan/values/tile.hpp>

#include <variant>
#include <vector>

namespace JUTE_API jute {

/// A product of split operands: which term of A by which of B.
struct TermProduct {
  int a = 0, b = 0;
  bool operator==(const TermProduct&) const = default;
};

/// What becomes another type in a thread's registers, of an operand; where a
/// work has one such value, of the operand of which there is more.
struct StoredElements {
  int bits = 0;             ///< of an element in memory; 0: nothing does
  double instructions = 0;  ///< of a thread for a k-tile, or a turn
  bool operator==(const StoredElements&) const = default;
};

/// What a thread copies of an operand's k-tile, and where that lies.
struct CopiedByWarps {
  double copies = 0;
  bool are_narrow = false;  ///< than a chunk
  Major major = Major::k;
  StoredElements stored{};
  bool operator==(const CopiedByWarps&) const = default;
};

/// Instructions of warps that multiply stages which all of them keep filling.
struct WarpTileWork {
  TileShape tile;
  int warps_m, warps_n, warps_k;
  Transfer transfer;
  int stages;
  CopiedByWarps a, b;
  double scaled = 0;  ///< instructions of a thread for sums of a k-tile that scales multiply
  [[nodiscard]] int warps() const { return warps_m * warps_n * warps_k; }
  [[nodiscard]] double rows() const { return static_cast<double>(tile.m) / warps_m; }
  [[nodiscard]] double columns() const { return static_cast<double>(tile.n) / warps_n; }
  bool operator==(const WarpTileWork&) const = default;
};

/// What a thread copies of an operand's k-tile.
struct CopiedByThreads {
  double count;
  bool across;  ///< one by one along K, to rows along M or N
  bool operator==(const CopiedByThreads&) const = default;
};

/// Multiply-adds of threads from stages that all of them keep filling.
struct ThreadTileWork {
  TileShape tile;
  int threads;
  int rows, columns;  ///< of a thread
  int parts_of_k;
  int stages;
  int width;
  CopiedByThreads a, b;
  bool operator==(const ThreadTileWork&) const = default;
};

/// Instructions of warps that multiply what a producer loads.
struct WarpGroupWork {
  int m, n, k;  ///< of a tile
  int warps_m, warps_n;
  int stages;
  [[nodiscard]] int warps() const { return warps_m * warps_n; }
  bool operator==(const WarpGroupWork&) const = default;
};

/// Multiply-adds of threads of what a producer loads.
struct ThreadGroupWork {
  int m, n, k;        ///< of a tile
  int rows, columns;  ///< of D that a thread holds
  int warps;
  bool operator==(const ThreadGroupWork&) const = default;
};

/// What a thread loads of an operand in a turn.
struct LaneLoads {
  bool along_k;
  double loads;
  bool are_single;  ///< elements
  double sectors;   ///< that a load of a warp reads
  bool operator==(const LaneLoads&) const = default;
};

/// Multiply-adds of threads straight from global memory.
struct LaneTileWork {
  int warps, parts_of_k;
  TileShape tile;        ///< k of a turn
  int rows, columns, k;  ///< of a thread
  int width;
  LaneLoads a, b;
  double sectors;  ///< of D, whole or in part, that a block's stores write
  bool operator==(const LaneTileWork&) const = default;
};

/// What a lane loads of an operand in a turn.
struct DotLoads {
  Index count = 0;
  bool are_single = false;  ///< elements, not chunks
  bool are_cut = false;     ///< out of two chunks each
  bool operator==(const DotLoads&) const = default;
};

/// Lanes that add up products of a large operand along K.
struct DotWork {
  int threads, lanes_k;
  int rows, lines;  ///< of D in a block
  Index k;          ///< of a turn
  DotLoads streamed, kept;
  Index elements;           ///< of a lane in a turn, of what is streamed
  Index sums;               ///< of a lane
  Index held;               ///< registers of a lane for both operands
  bool has_ends;            ///< are there elements that no whole chunk holds?
  StoredElements stored{};  ///< of what is streamed
  bool operator==(const DotWork&) const = default;
};

/// Lanes and warps that share out a large operand along M or N.
struct LineWork {
  bool by_threads;
  int warps, lanes_k;  ///< that share out K: groups, and lanes of one
  int lines, rows, k;  ///< of the tile
  int of_chunk, width;
  bool knows_ld, is_kept_along_k, is_f32;
  Operand streamed;  ///< the large one
  bool operator==(const LineWork&) const = default;
};

/// What threads load of an operand's k-tile, and from how many rows.
struct StraightLoads {
  Index loads;  ///< of a thread
  Major major;
  Index extent;  ///< rows that the problem has
  bool operator==(const StraightLoads&) const = default;
};

/// Instructions of warps that load their own fragments.
struct StraightWork {
  MmaForm form;
  int threads, parts_of_k;
  int width;  ///< bytes of an element of A or B
  TileShape tile;
  StraightLoads a, b;
  Index products;  ///< instructions of a warp for a k-tile
  bool stores_together;
  bool is_generic = false;
  StoredElements stored{};
  int stages = 1;  ///< of shared memory that those come by; 1: in registers
  bool operator==(const StraightWork&) const = default;
};

/// A matrix of the problem, as far as predictions ask.
struct WorkMatrix {
  DType type = DType::f32;
  Major major = Major::k;
  Extent ld;
  int access_bytes = 1;  ///< of one access
  int terms = 1;         ///< of a split operand
  Index boxes = 0;       ///< of a View's, that a block asks TMA for in a k-tile
  bool operator==(const WorkMatrix&) const = default;
};

/// What is multiplied, likewise.
struct WorkProblem {
  bool transposed = false;  ///< the kernel's M is the problem's N
  Extent m, n, k, batch;
  std::vector<TermProduct> products;
  WorkMatrix a, b, d;
  DType accumulate = DType::f32;
  Launches launches = Launches::behind_others;
  bool operator==(const WorkProblem&) const = default;
};

/// A tile of a step, how K is cut, and what a block does by the family that it is of: as its step
/// was derived, from the accesses and stages that it really has.
struct Work {
  Family family = Family::warps_registers;
  WorkProblem problem;
  TileShape tile;
  int split_k = 1;
  Index whole_tiles = 0;  ///< that these leave whole
  std::variant<std::monostate, Tile, WarpGroupWork, ThreadGroupWork, WarpTileWork, ThreadTileWork,
               StraightWork, LaneTileWork, DotWork, LineWork>
      block;
  bool operator==(const Work&) const = default;
};

}  // namespace jute
