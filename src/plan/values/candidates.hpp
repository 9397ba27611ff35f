#pragma once
// What planning may choose from: rows of numbers, with what each needs of chip, types and majors.
#include <jute/plan/ask/schedule.hpp>
#include <jute/plan/values/plan.hpp>

#include <optional>
#include <variant>

namespace jute::plan {

/// Multiply-adds of single threads: each computes some vectors along M and along N in a k-step.
struct ThreadTile {
  int m, n;    ///< of the block tile, unless a literal extent is smaller
  int vector;  ///< neighbours along M or N that a thread has
  int repeat_m, repeat_n;
  int k;  ///< of the block tile, in elements
  int stages = 2;
  Transfer transfer = Transfer::registers;
  int parts_of_k = 1;  ///< groups of threads that take other parts of K
  int split_k = 1;
  Index whole_tiles = 0;  ///< that slices leave whole
};
/// Of a thread.
[[nodiscard]] inline int rows_of(const ThreadTile& tile) { return tile.vector * tile.repeat_m; }
[[nodiscard]] inline int columns_of(const ThreadTile& tile) { return tile.vector * tile.repeat_n; }
/// Of a block that take the same part of K.
[[nodiscard]] inline int threads_of_part(const ThreadTile& tile) {
  return tile.m / rows_of(tile) * (tile.n / columns_of(tile));
}

/// Tensor-core instructions of warps.
struct WarpTile {
  Transfer transfer;
  int m, n;
  int k_bytes;
  int warps_m, warps_n;
  int stages;       ///< or as many as fit
  int warps_k = 1;  ///< that share out K
  int split_k = 1;
  Index whole_tiles = 0;  ///< that slices leave whole
};

/// Warps that load their own fragments and keep them in registers; a block's share out K.
struct StraightTile {
  int repeat_m, repeat_n;   ///< instructions of a warp along M and N
  int parts_of_k;           ///< groups of threads that take other parts of K
  int k_steps;              ///< instructions along K whose fragments are loaded together
  bool is_generic = false;  ///< of the short list that problems share
  int run_steps = 1;        ///< instructions along K for which a thread has neighbours
  int stages = 1;           ///< of shared memory that stored elements come by; 1: in registers
};

/// Threads that load what they multiply straight from global memory, and hold each some rows and
/// columns of D.
struct LaneTile {
  int lanes_m = 4, lanes_n = 8;  ///< of a warp
  int rows = 1, columns = 1;     ///< of a thread
  int warps_m = 1, warps_n = 1;  ///< of a block
  int parts_of_k = 1;            ///< groups of warps that take other parts of K
  int along_k = 4;               ///< neighbours along K that a thread takes together
  int k_steps = 1;               ///< runs of these that are loaded together
};

/// Lanes that add up products of one large operand, which they read once, with few rows of the
/// other. A chunk is 16 bytes of the large one, along whichever dimension is contiguous.
struct DotTile {
  Operand streamed = Operand::b;  ///< the large one; lines are its M or N
  int lanes_k = 32;               ///< of a warp along K, the others along lines
  int warps_k = 1, warps_lines = 8;
  int chunks = 4;   ///< of a lane along K, asked for together
  int repeats = 1;  ///< lines of a lane, where it is contiguous along K
  int rows = 1;     ///< of the other operand
};

/// Lanes and warps that share out a large operand along M or N, rows of which begin anywhere, and
/// which they read once in aligned chunks of 16 bytes; the other operand has few rows.
struct LineTile {
  Operand streamed = Operand::b;  ///< the large one; lines are its M or N
  int lanes = 8;                  ///< of a warp along lines; the others, or tensor cores, take K
  int warps_k = 8;                ///< that share out K: a multiple of a chunk's elements
  int repeats = 1;                ///< times that a warp takes lines
  int k_steps = 2;                ///< instructions along K whose fragments are loaded together
  int rows = 1;                   ///< of the other operand
};

/// A tile of any family: which one is its tag, and what it holds is what that family chooses.
using Tile =
    std::variant<ThreadTile, WarpTile, WarpgroupTile, StraightTile, LaneTile, DotTile, LineTile>;

/// One of a family, and what it is expected to take.
template <class OfFamily>
struct RankedOf {
  double clocks;
  OfFamily tile;
};

/// One way to compute a problem: an instruction, who executes it on which tile, how operands
/// travel.
struct Candidate {
  MmaAtom atom;
  Tile tile;
};

/// One, and what it is expected to take, without copies of operands ahead of it.
struct RankedCandidate {
  double clocks;
  Candidate candidate;
};

/// `SM80_16x8x16_F32BF16BF16F32_TN by 2x4 warps on 128x256, cp.async, 4 stages of 64 bytes of K`
[[nodiscard]] std::string to_string(const Candidate& candidate);

}  // namespace jute::plan
