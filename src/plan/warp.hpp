#pragma once
// A warp.

namespace jute::plan {

inline constexpr int kWarp = 32;  ///< threads
inline constexpr int kGroupWarps =
    4;  ///< warps of a group: setmaxnreg and wgmma are theirs together

}  // namespace jute::plan
