// Holds the model to every tile and every way to cut K.
#include "plan/choose/ranked/ranked_warp_tiles.hpp"

#include <optional>
#include <utility>

#include "plan/choose/ranked/cut_tails.hpp"
#include "plan/choose/ranked/fastest.hpp"
#include "plan/cost/fitted.hpp"
#include "plan/cost/law.hpp"
#include "plan/shapes/warp_tiles.hpp"
#include "plan/values/block_threads.hpp"

namespace jute::plan {
std::vector<RankedTile> ranked_warp_tiles(const KernelProblem& problem, const DeviceInfo& device,
                                          size_t most, double limit) {
  if (!suits_warp_tiles(problem, device)) return {};
  NearFastest near(limit);
  const Family family = warp_tiles_of(problem, device);
  const FamilyLaw law = law_of(family, MmaForm::mma, problem.a.type, problem.accumulate, device);
  for_warp_tiles(problem, device, [&](const Tile& tile) {
    const Block block = warp_tile_block(tile, row_of(family).transfer, problem);
    if (!fits_block(block, device)) return;
    add_cuts(near, tile, block, law, fitted::kWorthOfTail, problem, device);
  });
  std::vector<RankedTile> list = std::move(near).list();
  keep_first_of_fastest(list, most);
  return list;
}

}  // namespace jute::plan
