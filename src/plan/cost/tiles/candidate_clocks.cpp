// Asks the law, or of tiles of warpgroups their own model.
#include "plan/cost/tiles/candidate_clocks.hpp"

#include <array>

#include "plan/cost/cost_model.hpp"
#include "plan/cost/tiles/staged_amounts.hpp"
#include "plan/shapes/thread_groups.hpp"
#include "plan/shapes/thread_tiles.hpp"
#include "plan/shapes/warp_groups.hpp"
#include "plan/shapes/warp_tiles.hpp"

namespace jute::plan {
namespace {

/// What the law says of a tile, cut as it is.
template <class Work>
double by_law_of(const Candidate& one, const Work& work, const KernelProblem& problem,
                 const DeviceInfo& device) {
  const FamilyLaw law = law_of(one.family, one.atom.form, problem, device);
  return by_law(amounts_of(work, problem, device, law), {one.tile.split_k, one.tile.whole_tiles},
                law.of, law.rates)
      .clocks;
}

double of_warpgroups(const Candidate& one, const KernelProblem& problem, const DeviceInfo& device) {
  return kernel_cost(one.tile, one.tile.swapped ? transposed(problem) : problem, device)
      .at(problem.m.value, problem.batch.value)
      .clocks;
}
double of_warp_groups(const Candidate& one, const KernelProblem& problem,
                      const DeviceInfo& device) {
  return by_law_of(one, warp_group_work(one.tile, problem, device), problem, device);
}
double of_thread_groups(const Candidate& one, const KernelProblem& problem,
                        const DeviceInfo& device) {
  return by_law_of(one, thread_group_work(one.tile, problem), problem, device);
}
double of_warps(const Candidate& one, const KernelProblem& problem, const DeviceInfo& device) {
  Tile tile = one.tile;
  const int k = one.atom.shape.k * tile.groups_k;
  if (is_one_instruction(one.family, k, problem)) tile.k_bytes = k * width_bytes(problem.a.type);
  return by_law_of(one, warp_tile_work(tile, row_of(one.family).transfer, problem), problem,
                   device);
}
double of_threads(const Candidate& one, const KernelProblem& problem, const DeviceInfo& device) {
  Tile tile = one.tile;
  const TileShape open = open_tile(problem, tile);
  tile.m = open.m, tile.n = open.n;
  return by_law_of(one, thread_tile_work(tile, problem), problem, device);
}
double of_direct(const Candidate& /*its family ranks it*/, const KernelProblem& /*of any*/,
                 const DeviceInfo& /*on any*/) {
  return 0;
}

/// In the order of families.
using ClocksOf = double (*)(const Candidate&, const KernelProblem&, const DeviceInfo&);
constexpr std::array<ClocksOf, kFamilies.size()> kClocksOfFamily{
    of_warpgroups, of_warp_groups, of_thread_groups, of_warps,  of_warps,  of_threads,
    of_threads,    of_direct,      of_direct,        of_direct, of_direct, of_direct};

}  // namespace

double candidate_clocks(const Candidate& candidate, const KernelProblem& problem,
                        const DeviceInfo& device) {
  return kClocksOfFamily.at(static_cast<size_t>(candidate.family))(candidate, problem, device);
}

}  // namespace jute::plan
