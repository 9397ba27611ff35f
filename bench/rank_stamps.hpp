#pragma once
// What stamps say of the kernels of a product over several ranks.
#include <jute/dist/distributed_plan.hpp>
#include <jute/plan/derive/stamps.hpp>

#include <string>
#include <vector>

namespace jute::bench {

/// The same plan, whose products leave stamps, each by a kernel of its own behind the plan's.
[[nodiscard]] DistributedPlan stamped(DistributedPlan plan);

[[nodiscard]] bool leaves_stamps(const Plan& kernel);

/// What a role does in a block, in thousands of clocks.
struct Phases {
  double whole = 0;
  double wait = 0;          ///< for the first data of its tiles
  double longest_wait = 0;  ///< of one tile
  double multiply = 0, store = 0;
};
/// Of all blocks of a kernel, phase by phase: the median's, and the most.
struct RolePhases {
  std::string role;  ///< `consumer 0`
  Phases median, most;
};
[[nodiscard]] std::vector<RolePhases> phases_of(const std::vector<StampLane>& lanes);
/// "wait 12.1 (at most 14.0), …", all but the whole.
[[nodiscard]] std::string to_string(const RolePhases& phases);

}  // namespace jute::bench
