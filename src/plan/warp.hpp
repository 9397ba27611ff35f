#pragma once
// A warp.

namespace jute::plan {

inline constexpr int kWarp = 32;  ///< threads

}  // namespace jute::plan
