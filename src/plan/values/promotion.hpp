#pragma once
// Sums that the tensor core forms with few bits, or cuts, and threads add in full.
#include <jute/plan/values/product_scales.hpp>
#include <jute/plan/values/promoted_sums.hpp>

#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

/// e4m3 or e5m2.
[[nodiscard]] bool is_small_float(DType type);

/// The part of so much k in a row of a stage that lies in whole blocks of the operands' scales.
[[nodiscard]] int within_blocks(const KernelProblem& problem, int row_k);

/// The k that a wgmma kernel of such k-tiles sums before threads add the sum: what 8-bit floats and
/// terms of f32 need; 0 where an accumulator holds the whole sum.
[[nodiscard]] int usual_promotion(const KernelProblem& problem, int tile_k = 128);
/// The usual k, but for the caller's choice.
[[nodiscard]] int promotion(const KernelProblem& problem, const Config& config, int tile_k = 128);

/// 32-bit registers of a thread for sums that are promoted, beside those that they are added to.
[[nodiscard]] Index promoted_registers(const GemmStep& step, const TileShape& tile);

/// How many scales of an operand's blocks a thread takes for a run of k.
struct ScaleLines {
  ScalesBy by = ScalesBy::one;
  int count = 1;
};

/// Where a tile's lines lie.
enum class TilesBegin : std::uint8_t {
  at_multiples,  ///< of the tile
  anywhere,      ///< with the part of a group
};
[[nodiscard]] TilesBegin tiles_begin(const std::optional<KernelGroups>& groups, GroupedAlong along);

/// Scales of a tile by blocks of so many lines, 0 all; `tile` lines, of which a thread has
/// `of_thread`. Where blocks do not end with tiles that begin at multiples, parts of what divides
/// both lie in one block each: if all threads have the same of their lines in a part, each part has
/// a scale.
[[nodiscard]] ScaleLines scale_lines(Index block, Index tile, Index of_thread, TilesBegin begin,
                                     bool shares_parts);

/// The work that a tile's scales take of a thread for a run of k: instructions beside the sum's
/// own.
struct ScaleWork {
  int scales = 0;
  double instructions = 0;
};
[[nodiscard]] ScaleWork scale_work(const ScaleLines& rows, const ScaleLines& columns,
                                   Index lines_of_rows, Index lines_of_columns);

}  // namespace jute::plan
