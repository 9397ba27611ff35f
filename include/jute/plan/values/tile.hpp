#pragma once
// The part of D that a block computes at a time, and who in it does what: the numbers that planning
// chooses.
#include <jute/atom/atom.hpp>
#include <jute/base/export.hpp>
#include <jute/plan/ask/config.hpp>
#include <jute/plan/ask/schedule.hpp>

#include <optional>

namespace JUTE_API jute {

/// A tile of any family of kernels, which reads those numbers that it has a meaning for. Where one
/// operand is much larger than the other and is read once (dot products, lines), its rows are the
/// lines, and lie along N here whichever operand it is.
struct Tile {
  int m = 0, n = 0;  ///< of D in a block; of direct tiles they follow from the rest
  int k_bytes = 0;   ///< of K in a stage
  /// Who shares out the block's tile along M, N and K: consumer groups, warps, or parts of K.
  int groups_m = 1, groups_n = 1, groups_k = 1;
  int lanes_m = 1, lanes_n = 1, lanes_k = 1;  ///< of a warp
  /// The parts of one along M and N: instructions, vectors of `vector` neighbours, or elements.
  int repeat_m = 1, repeat_n = 1;
  int vector = 1;
  int k_steps = 1;  ///< instructions, runs or chunks along K that are loaded together
  int k_run = 1;    ///< neighbours along K that a thread takes together, or instructions of them
  int stages = 1;   ///< or as many as fit
  Operand streamed = Operand::b;  ///< the large operand that is read once
  bool is_generic = false;        ///< of the short list that problems share
  // How K is cut.
  int split_k = 1;
  Index whole_tiles = 0;  ///< that slices leave whole
  SplitK reduction = SplitK::last_adds;
  // How a producer and consumers go about it.
  Transfer carry_a = Transfer::tma, carry_b = Transfer::tma;  ///< what fills stages, of the problem
  ClusterShape cluster{};
  FirstStages first_stages = FirstStages::after_barrier;
  Release release = Release::after_main_loop;
  int raster_width = 8;
  int ping_pong = 1;
  int co_resident = 1;             ///< blocks of an SM that walk over tiles beside each other
  bool swapped = false;            ///< of the transposed problem
  bool m_at_run_time = false;      ///< the grid is to suit every M, not the planned one alone
  bool width_at_run_time = false;  ///< n is the greatest of the widths that a launch may give tiles
  bool split_k_at_run_time = false;  ///< and it may cut them into slices of K
  /// The content of stages in rows past the edge, where that is no more to be chosen.
  std::optional<EdgeRows> edge_rows{};
  bool operator==(const Tile&) const = default;
};

/// Slices of a tile that stands for itself in however many.
inline constexpr int kSplitKAtRunTime = 0;
/// Does a launch say more of the work than the planned problem does?
[[nodiscard]] inline bool is_said_late(const Tile& tile) {
  return tile.m_at_run_time || tile.width_at_run_time || tile.split_k_at_run_time;
}

}  // namespace jute
