// Holds the model to every tile and every way to cut K.
#include "plan/choose/ranked/ranked_warp_tiles.hpp"

#include <optional>
#include <utility>

#include "plan/choose/ranked/cut_tails.hpp"
#include "plan/choose/ranked/fastest.hpp"
#include "plan/cost/fitted.hpp"
#include "plan/cost/tiles/staged_amounts.hpp"
#include "plan/shapes/warp_tiles.hpp"
#include "plan/values/block_threads.hpp"

namespace jute::plan {
std::vector<RankedOf<WarpTile>> ranked_warp_tiles(const KernelProblem& problem,
                                                  const DeviceInfo& device, size_t most,
                                                  double limit) {
  if (!suits_warp_tiles(problem, device)) return {};
  NearFastest<RankedOf<WarpTile>> near(limit);
  std::optional<FamilyLaw> law;
  for_warp_tiles(problem, device, [&](WarpTile tile) {
    const WarpTileWork work = work_of(tile, problem);
    if (!fits_block(work, problem, device)) return;
    if (!law) law = law_of_warps(tile.transfer, problem, device);
    const Amounts amounts = amounts_of(work, problem, device, *law);
    add_cuts(near, tile, work.tile, amounts, *law, fitted::kWorthOfTail, problem, device);
  });
  std::vector<RankedOf<WarpTile>> list = std::move(near).list();
  keep_first_of_fastest(list, most);
  return list;
}

}  // namespace jute::plan
