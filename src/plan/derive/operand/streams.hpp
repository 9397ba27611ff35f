#pragma once
// Large operands that stream through the chip once: what leaves the cache first, and where in K
// blocks begin.
#include <jute/launch/device_info.hpp>
#include <jute/plan/ask/config.hpp>
#include <jute/plan/values/plan.hpp>

#include "plan/ask/broken_rule.hpp"

namespace jute::plan {

/// Large operands that one block alone reads, or two neighbours, or blocks that all run together,
/// leave the cache to the rest, unless the caller says what does. Blocks of a cluster share what
/// they read.
void choose_hints(GemmStep& step, const DeviceInfo& device, const Config& config);

/// At how many places of K the blocks of a kernel for the planned extents, or for tiles of any
/// width, begin. Blocks that all read the same columns of rows a power of two apart ask few of
/// memory's banks at once, where the rows are many and read once.
[[nodiscard]] int k_starts(const GemmStep& step, const DeviceInfo& device);

/// Who may begin apart.
[[nodiscard]] Errors k_start_rules(const GemmStep& step);

}  // namespace jute::plan
