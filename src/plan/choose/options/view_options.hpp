#pragma once
// Kernels that read and write Views where they lie.
#include "plan/choose/planning.hpp"

#include <optional>

namespace jute::plan {

/// Kernels whose threads walk the problem's Views. Nothing where none may.
[[nodiscard]] std::optional<Options> walking(const Planning& planning);

/// Kernels to which TMA brings as many Views as have one: all that may be, all but D, A or B alone.
/// The others are packed. Nothing where TMA moves none.
[[nodiscard]] std::optional<Options> by_boxes(const Planning& planning);

}  // namespace jute::plan
