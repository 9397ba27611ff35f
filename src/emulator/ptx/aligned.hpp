#pragma once
// Places of parameters and variables.
#include <jute/base/types.hpp>

namespace jute::emulator {

/// The least multiple of `align` that is no less.
[[nodiscard]] constexpr Index aligned_up(Index value, Index align) {
  return (value + align - 1) / align * align;
}

}  // namespace jute::emulator
