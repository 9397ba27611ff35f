// Holds the model to every tile and every way to cut K.
#include "plan/choose/ranked/ranked_thread_tiles.hpp"

#include <utility>

#include "plan/choose/ranked/cut_tails.hpp"
#include "plan/choose/ranked/fastest.hpp"
#include "plan/cost/fitted.hpp"
#include "plan/cost/tiles/staged_amounts.hpp"
#include "plan/shapes/thread_tiles.hpp"

namespace jute::plan {

std::vector<RankedTile> ranked_thread_tiles(const KernelProblem& problem, const DeviceInfo& device,
                                            size_t most) {
  if (!may_be_staged(problem, device)) return {};
  NearFastest near;
  const FamilyLaw law = law_of(Family::threads_async, MmaForm::fma, problem, device);
  for_thread_tiles(problem, device, [&](Tile tile) {
    const ThreadTileWork work = thread_tile_work(tile, problem);
    if (smem_bytes(work) > device.smem_bytes_per_block) return;
    const Amounts amounts = amounts_of(work, problem, device, law);
    add_cuts(near, tile, work.tile, amounts, law, fitted::kWorthOfThreadsTail, problem, device);
  });
  std::vector<RankedTile> list = std::move(near).list();
  keep_fastest(list, most);
  return list;
}

}  // namespace jute::plan
