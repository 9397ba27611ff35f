// Holds the model to every tile and every way to cut K.
#include "plan/choose/ranked/ranked_thread_tiles.hpp"

#include <utility>

#include "plan/choose/ranked/fastest.hpp"
#include "plan/cost/slice_cost.hpp"
#include "plan/cost/tiles/thread_tile_cost.hpp"
#include "plan/shapes/thread_tiles.hpp"

namespace jute::plan {

std::vector<RankedThreads> ranked_thread_tiles(const KernelProblem& problem,
                                               const DeviceInfo& device, size_t most) {
  if (!may_be_staged(problem, device)) return {};
  NearFastest<RankedThreads> near;
  for_thread_tiles(problem, device, [&](ThreadTile tile) {
    const ThreadTileWork work = work_of(tile, problem);
    if (smem_bytes(work) > device.smem_bytes_per_block) return;
    const UncutThreadTile whole = uncut(work, problem, device);
    for_filling_slices(work.tile, problem, device, [&](int slices) {
      tile.slices = slices;
      near.add(
          {predicted(work, whole, slices, problem.k.value, device, near.limit()).clocks, tile});
    });
  });
  std::vector<RankedThreads> list = std::move(near).list();
  keep_fastest(list, most);
  return list;
}

}  // namespace jute::plan
