#pragma once
// How far TMA's swizzle modes reach.
#include <jute/launch/tensor_map_spec.hpp>

namespace jute {

/// The bytes within which a mode exchanges chunks of 16 bytes; one chunk where nothing moves.
///   source  CUDA Driver API, cuTensorMapEncodeTiled
[[nodiscard]] constexpr Index swizzle_span_bytes(TmaSwizzle swizzle) {
  return Index{16} << static_cast<int>(swizzle);
}

}  // namespace jute
