#pragma once
// The pieces of kernels whose fragments come straight from global memory.
#include <string>

#include "codegen/kernel.hpp"

namespace jute::codegen {

/// Instructions of the frame's own, before the functions.
[[nodiscard]] std::string straight_prelude(const Kernel& kernel);
[[nodiscard]] std::string straight_constants(const Kernel& kernel);
/// The block's share and ways, what comes before the first load and behind those of a k-tile.
struct StraightBody {
  std::string share, start, settle, epilogue;
};
[[nodiscard]] StraightBody straight_body(const Kernel& kernel);

}  // namespace jute::codegen
