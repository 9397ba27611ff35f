// Asks the law, or of tiles of warpgroups their own model.
#include "plan/cost/tiles/candidate_clocks.hpp"

#include <variant>

#include "plan/cost/cost_model.hpp"
#include "plan/cost/tiles/staged_amounts.hpp"
#include "plan/shapes/thread_groups.hpp"
#include "plan/shapes/thread_tiles.hpp"
#include "plan/shapes/warp_groups.hpp"
#include "plan/shapes/warp_tiles.hpp"

namespace jute::plan {
namespace {

class CandidateClocks {
 public:
  const MmaAtom& atom;
  const KernelProblem& problem;
  const DeviceInfo& device;

  double operator()(WarpTile tile) const {
    const int k = atom.shape.k * tile.warps_k;
    if (is_one_instruction(tile, k, problem)) tile.k_bytes = k * width_bytes(problem.a.type);
    const FamilyLaw law = law_of_warps(tile.transfer, problem, device);
    return clocks(law, amounts_of(work_of(tile, problem), problem, device, law),
                  {tile.split_k, tile.whole_tiles});
  }
  double operator()(ThreadTile tile) const {
    const TileShape open = open_tile(problem, tile);
    tile.m = open.m, tile.n = open.n;
    const FamilyLaw law = law_of_threads(problem, device);
    return clocks(law, amounts_of(work_of(tile, problem), problem, device, law),
                  {tile.split_k, tile.whole_tiles});
  }
  double operator()(const WarpgroupTile& tile) const {
    const TileCut cut{tile.split_k, tile.whole_tiles};
    if (atom.form == MmaForm::mma) {
      const FamilyLaw law = law_of_warp_groups(problem, device);
      const WarpGroupWork work = warp_group_work(tile, problem, device);
      return clocks(law, amounts_of(work, problem, device, law), cut);
    }
    if (atom.form == MmaForm::fma) {
      const FamilyLaw law = law_of_thread_groups(problem, device);
      return clocks(law, amounts_of(thread_group_work(tile, problem), problem, device, law), cut);
    }
    return kernel_cost(tile, tile.swapped ? transposed(problem) : problem, device)
        .at(problem.m.value, problem.batch.value)
        .clocks;
  }
  template <class Direct>
  double operator()(const Direct& /*lies in no shared memory*/) const {
    return 0;
  }

 private:
  static double clocks(const FamilyLaw& law, const Amounts& amounts, const TileCut& cut) {
    return by_law(amounts, cut, law.of, law.rates).clocks;
  }
};

}  // namespace

double candidate_clocks(const Candidate& candidate, const KernelProblem& problem,
                        const DeviceInfo& device) {
  return std::visit(CandidateClocks{candidate.atom, problem, device}, candidate.tile);
}

}  // namespace jute::plan
