// Two models held against each other.
#include "plan/choose/ranked_rows.hpp"

#include "plan/choose/ranked/fastest.hpp"
#include "plan/choose/staged_cost.hpp"

namespace jute::plan {
std::vector<Candidate> ranked_warp_rows(const MmaAtom& atom, const KernelProblem& problem,
                                        const DeviceInfo& device, BestStaged& staged, size_t most) {
  std::vector<RankedCandidate> list;
  const std::vector<RankedOf<WarpTile>>& copying = staged.copying_warps();
  const bool may_be_groups = !copying.empty() || is_for_warp_groups(problem, device, staged);
  if (may_be_groups && !needs_copies(problem))
    for (const RankedTile& one : staged.warps()) list.push_back({one.clocks, {atom, one.tile}});
  for (const RankedOf<WarpTile>& one : copying) list.push_back({one.clocks, {atom, one.tile}});
  return fastest_first(std::move(list), most);
}

}  // namespace jute::plan
