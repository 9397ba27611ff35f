// Holds the model to every tile and every way to cut K.
#include "plan/choose/ranked/ranked_thread_tiles.hpp"

#include <utility>

#include "plan/choose/ranked/cut_tails.hpp"
#include "plan/choose/ranked/fastest.hpp"
#include "plan/cost/fitted.hpp"
#include "plan/cost/law.hpp"
#include "plan/shapes/thread_tiles.hpp"

namespace jute::plan {

std::vector<RankedTile> ranked_thread_tiles(const KernelProblem& problem, const DeviceInfo& device,
                                            size_t most) {
  if (!may_be_staged(problem, device)) return {};
  NearFastest near;
  const FamilyLaw law =
      law_of(Family::threads_async, MmaForm::fma, problem.a.type, problem.accumulate, device);
  for_thread_tiles(problem, device, [&](const Tile& tile) {
    const Block block = thread_tile_block(tile, thread_tile_accesses(tile, problem), problem);
    if (block.smem_bytes > static_cast<double>(device.smem_bytes_per_block)) return;
    add_cuts(near, tile, block, law, fitted::kWorthOfThreadsTail, problem, device);
  });
  std::vector<RankedTile> list = std::move(near).list();
  keep_fastest(list, most);
  return list;
}

}  // namespace jute::plan
