#pragma once
// How many blocks a launch may have.
#include <jute/base/types.hpp>

namespace jute::plan {

/// Along the first axis of a grid, and along the second and third one.
///   source  CUDA C++ Programming Guide, technical specifications per compute capability
inline constexpr Index kMostBlocksAlong = (Index{1} << 31) - 1;
inline constexpr Index kMostBlocksAcross = 65535;

}  // namespace jute::plan
