#pragma once
// A producer whose warps copy operands.
#include "codegen/kernel.hpp"

namespace jute::codegen {

/// Its loop over tiles and k-tiles, behind what gives registers away.
[[nodiscard]] std::string copying_producer(const Kernel& kernel, std::string registers,
                                           const std::string& extents);
[[nodiscard]] std::string copying_constants(const GemmStep& step);

}  // namespace jute::codegen
