#pragma once
// Sums that threads add in full, run of k by run of k, beside what instructions form meanwhile.
#include <jute/base/export.hpp>

namespace JUTE_API jute {

struct GemmStep;

/// Sets of registers that the sums of runs are formed in by turns: 2 where sums are multiplied by
/// scales, a k-tile is a run, and a group multiplies it by an even number of instructions' tiles.
/// Threads then add one tile's sums while the next one's are formed; else all of a run's are formed
/// first, and 1 set holds them.
[[nodiscard]] int promote_sets(const GemmStep& step);

}  // namespace jute
