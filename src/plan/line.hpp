#pragma once
// A line of memory, and its sectors.

namespace jute::plan {

inline constexpr int kLine = 128;   ///< bytes that memory moves at once, and of a k-block's row
inline constexpr int kSector = 32;  ///< bytes of a line that are written back together

}  // namespace jute::plan
