#pragma once
// A line of memory.

namespace jute::plan {

inline constexpr int kLine = 128;  ///< bytes that memory moves at once, and of a k-block's row

}  // namespace jute::plan
