#pragma once
// Tensor maps that a kernel makes itself, of what only the device's list says: where groups'
// operands lie, or where their parts of K begin and end.
#include <jute/plan/values/carried_stages.hpp>
#include <jute/plan/values/plan.hpp>

#include <string_view>

namespace JUTE_API jute {

/// Does the step's producer make maps of a group's A and B? A map is 128 bytes: two of them in
/// shared memory, whose fields it replaces, and copies in the workspace that TMA reads. Behind the
/// end of a part of K, where the next group's begins, TMA then leaves zeros.
[[nodiscard]] inline bool makes_maps(const GemmStep& step) {
  return step.schedule.main_loop == MainLoop::warp_specialised &&
         (lists_operands(step.groups) || (has_parts_of_k(step.groups) && !carries(step)));
}

inline constexpr std::string_view kMadeMaps = "maps";  ///< where they lie in the workspace
inline constexpr Index kMadeMapBytes = 128;
inline constexpr int kMapsOfGroup = 2;  ///< of A and of B

/// Pairs of maps that a block publishes by turns: the next group's while the last one's are still
/// in use, but for few groups, where that is rare.
[[nodiscard]] constexpr int map_turns(const KernelGroups& groups) {
  constexpr int kFew = 8;
  return groups.count < kFew ? 1 : 2;
}

}  // namespace jute
