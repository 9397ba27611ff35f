// Holds the model to every tile and every way to cut K.
#include "plan/choose/ranked/ranked_warp_tiles.hpp"

#include <utility>

#include "plan/choose/ranked/fastest.hpp"
#include "plan/cost/slice_cost.hpp"
#include "plan/cost/tiles/warp_tile_cost.hpp"
#include "plan/shapes/warp_tiles.hpp"

namespace jute::plan {

std::vector<RankedWarps> ranked_warp_tiles(const KernelProblem& problem, const DeviceInfo& device,
                                           size_t most) {
  if (!suits_warp_tiles(problem, device)) return {};
  NearFastest<RankedWarps> near;
  for_warp_tiles(problem, device, [&](WarpTile tile) {
    const WarpTileWork work = work_of(tile, problem);
    if (!fits_block(work, problem, device)) return;
    const UncutWarpTile whole = uncut(work, problem, device);
    for_filling_slices(work.tile, problem, device, [&](int slices) {
      tile.slices = slices;
      near.add({predicted(work, whole, slices, problem, device, near.limit()).clocks, tile});
    });
  });
  std::vector<RankedWarps> list = std::move(near).list();
  keep_first_of_fastest(list, most);
  return list;
}

}  // namespace jute::plan
