#pragma once
// A line of memory, its sectors, and the chunks that threads and TMA move at once.
#include <jute/base/types.hpp>

#include <algorithm>

namespace jute::plan {

inline constexpr int kLine = 128;      ///< bytes that memory moves at once, and of a k-block's row
inline constexpr int kSector = 32;     ///< bytes of a line that are written back together
inline constexpr int kChunk = 16;      ///< bytes of a thread's widest access
inline constexpr int kLeastAsync = 4;  ///< bytes that a cp.async moves at least

[[nodiscard]] inline int elements_in(int bytes, DType type) {
  return std::max(1, bytes / width_bytes(type));
}
[[nodiscard]] inline int elements_of_chunk(DType type) { return elements_in(kChunk, type); }

}  // namespace jute::plan
