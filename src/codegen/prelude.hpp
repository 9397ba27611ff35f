#pragma once
// What pieces are written with: barriers, TMA, products, and what else a kernel may need.
#include <string>
#include <vector>

#include "codegen/kernel.hpp"

namespace jute::codegen {

/// Before the constants, and before the functions; a kernel has those of them that it needs.
[[nodiscard]] std::vector<std::string> accesses(const Kernel& kernel);
[[nodiscard]] std::vector<std::string> instructions(const Kernel& kernel);

}  // namespace jute::codegen
