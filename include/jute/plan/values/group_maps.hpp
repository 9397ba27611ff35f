#pragma once
// Tensor maps that a kernel makes itself, of operands that only the device's list has.
#include <jute/plan/values/plan.hpp>

namespace JUTE_API jute {

/// Does the step's producer make maps of a group's A and B? A map is 128 bytes: two of them in
/// shared memory, whose fields it replaces, and copies in the workspace that TMA reads.
[[nodiscard]] inline bool makes_maps(const GemmStep& step) {
  return lists_operands(step.groups) && step.schedule.main_loop == MainLoop::warp_specialised;
}

inline constexpr Index kMadeMapBytes = 128;
inline constexpr int kMapsOfGroup = 2;  ///< of A and of B

/// Pairs of maps that a block publishes by turns: the next group's while the last one's are still
/// in use, but for few groups, where that is rare.
[[nodiscard]] constexpr int map_turns(const KernelGroups& groups) {
  constexpr int kFew = 8;
  return groups.count < kFew ? 1 : 2;
}

}  // namespace jute
