#pragma once
// Sums that threads add in full, run of k by run of k, beside what instructions form meanwhile.
#include <jute/base/checked.hpp>
#include <jute/base/export.hpp>

namespace JUTE_API jute {

struct GemmStep;
struct OperandPlan;

/// Are sums multiplied by scales, a k-tile a run, and formed by one instruction's tile after the
/// other? A group then adds each tile's when they are formed, while others' products run; else it
/// adds all of a run's behind the run.
[[nodiscard]] bool adds_by_instruction(const GemmStep& step);

/// f32 scales of `operand`, A's or B's of the step, that a stage has beside its tiles: one a block
/// that lines of a tile lie in. A warp of producers copies them there by cp.async, as many k-tiles
/// ahead as there are stages. 0: there are none, or threads fetch what they need themselves.
[[nodiscard]] Index staged_scales(const GemmStep& step, const OperandPlan& operand);
[[nodiscard]] bool stages_scales(const GemmStep& step);  ///< of either

/// Do threads read of stages what no instruction does, so that each warp says when it has?
[[nodiscard]] bool releases_by_warps(const GemmStep& step);

}  // namespace jute
