#pragma once
// Sums that threads add in full, run of k by run of k, beside what instructions form meanwhile.
#include <jute/base/checked.hpp>
#include <jute/base/export.hpp>

namespace JUTE_API jute {

struct GemmStep;
struct OperandPlan;

/// Sets of registers that the sums of runs are formed in by turns: 2 where sums are multiplied by
/// scales, a k-tile is a run, and a group multiplies it by an even number of instructions' tiles.
/// Threads then add one tile's sums while the next one's are formed; else all of a run's are formed
/// first, and 1 set holds them.
[[nodiscard]] int promote_sets(const GemmStep& step);

/// f32 scales of `operand`, A's or B's of the step, that a stage has beside its tiles: one a block
/// that lines of a tile lie in. A warp of producers copies them there by cp.async, as many k-tiles
/// ahead as there are stages. 0: there are none, or threads fetch what they need themselves.
[[nodiscard]] Index staged_scales(const GemmStep& step, const OperandPlan& operand);
[[nodiscard]] bool stages_scales(const GemmStep& step);  ///< of either

/// Do threads read of stages what no instruction does, so that each warp says when it has?
[[nodiscard]] bool releases_by_warps(const GemmStep& step);

}  // namespace jute
