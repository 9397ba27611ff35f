#pragma once
// The comment that the reader of a kernel sees first.
#include <jute/base/export.hpp>
#include <jute/plan/values/plan.hpp>

#include <string>

namespace JUTE_API jute {

/// The comment that opens a generated kernel, a line each: the problem, the tile, the atoms and the
/// shared-memory map, in layout notation, from the step's fields. Holds nothing that may change
/// from launch to launch.
[[nodiscard]] std::string banner(const GemmStep& step);

}  // namespace jute
