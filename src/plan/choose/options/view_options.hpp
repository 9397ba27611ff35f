#pragma once
// Kernels that read and write Views where they lie.
#include "plan/choose/planning.hpp"

#include <optional>
#include <vector>

namespace jute::plan {

/// Kernels whose threads walk the problem's Views. Nothing where none may.
[[nodiscard]] std::optional<Options> walking(const Planning& planning);

/// Kernels to which TMA brings Views: all that may be, all but D, A or B alone; those of as many
/// as have one come first. The others are packed. Nothing where TMA moves none.
[[nodiscard]] std::vector<Options> by_boxes(const Planning& planning);

}  // namespace jute::plan
