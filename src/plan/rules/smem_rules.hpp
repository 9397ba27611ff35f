#pragma once
// Rules of the layouts of tiles in shared memory.
#include <jute/plan/values/plan.hpp>

#include "plan/ask/broken_rule.hpp"

namespace jute::plan {

/// The shared-memory layouts of a step whose tile fits the chip. Nothing is enumerated before
/// every offset is known to lie in a block's shared memory.
[[nodiscard]] Errors smem_rules(const GemmStep& step, const DeviceInfo& device);
/// A stage holds all terms of split operands.
[[nodiscard]] Errors product_rules(const GemmStep& step);

}  // namespace jute::plan
