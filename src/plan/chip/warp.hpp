#pragma once
// A warp, and what warps of a block share.

namespace jute::plan {

inline constexpr int kWarp = 32;  ///< threads
inline constexpr int kRegisterBytes = 4;
inline constexpr int kGroupWarps = 4;    ///< that issue wgmma, and exchange registers, together
inline constexpr int kQuarters = 4;      ///< of an SM: warps of a block are dealt to them in turn
inline constexpr int kRegisterUnit = 8;  ///< of a thread, in which setmaxnreg moves them

}  // namespace jute::plan
