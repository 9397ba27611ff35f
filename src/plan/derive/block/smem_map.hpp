#pragma once
// Where the regions of a block's shared memory lie, and the rules for that.
#include <jute/plan/values/plan.hpp>

namespace jute::plan {

/// The regions of a step whose layouts and stages are decided. Those of the main loop lie one
/// behind the other, those of the epilogue likewise from the start.
[[nodiscard]] std::vector<SmemRegion> smem_map(const GemmStep& step);
/// Bytes up to the end of the last region that is alive then.
[[nodiscard]] Index smem_end(const GemmStep& step, Alive alive);
/// The end of what it holds at any time.
[[nodiscard]] Index smem_held(const GemmStep& step);
/// Every broken rule of the map: what each region holds, where it starts, whom it meets.
[[nodiscard]] std::vector<Error> smem_map_rules(const GemmStep& step);

}  // namespace jute::plan
