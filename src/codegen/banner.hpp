#pragma once
// What the reader of a kernel sees first.
#include <jute/plan/plan.hpp>

#include <string>

namespace jute::codegen {

/// The problem, the tile, the atoms and the shared-memory map, in layout notation. Holds nothing
/// that may change from launch to launch.
[[nodiscard]] std::string banner(const GemmStep& step);

}  // namespace jute::codegen
