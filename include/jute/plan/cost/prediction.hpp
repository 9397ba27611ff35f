#pragma once
// The clocks that a warp-specialised kernel is expected to take, part by part.
#include <jute/base/export.hpp>
#include <jute/plan/values/fields.hpp>

#include <string_view>
#include <vector>

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
  double reduction = 0;      ///< until slices of K are added
  double moves = 0;          ///< to copy operands into the workspace first
  double clocks = 0;
  bool in_pairs = false;  ///< do two blocks each, and no more, read rows of the larger operand?
  bool is_early = false;  ///< may the next kernel begin with this one's first blocks?
  bool operator==(const Prediction&) const = default;
};
/// The purpose of a part of the clocks.
struct Term {
  std::string_view name;
  double clocks = 0;
  bool operator==(const Term&) const = default;
};
/// The clocks by cause, those of none left out: launch, start, products or feed (whichever a
/// k-block waits for), ends of tiles, power limit, memory, rows past the edge, overlap, reduction,
/// copies. What hides behind the longer of work and memory is no term. Their sum is the clocks.
[[nodiscard]] std::vector<Term> terms(const Prediction& prediction);

/// All of it, and `terms`.
[[nodiscard]] Fields fields(const Prediction& prediction);

}  // namespace jute
