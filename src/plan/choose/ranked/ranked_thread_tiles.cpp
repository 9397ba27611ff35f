// Holds the model to every tile and every way to cut K.
#include "plan/choose/ranked/ranked_thread_tiles.hpp"

#include <utility>

#include "plan/choose/ranked/cut_tails.hpp"
#include "plan/choose/ranked/fastest.hpp"
#include "plan/cost/slice_cost.hpp"
#include "plan/cost/tiles/staged_amounts.hpp"
#include "plan/shapes/thread_tiles.hpp"

namespace jute::plan {

std::vector<RankedThreads> ranked_thread_tiles(const KernelProblem& problem,
                                               const DeviceInfo& device, size_t most) {
  if (!may_be_staged(problem, device)) return {};
  NearFastest<RankedThreads> near;
  const FamilyLaw law = law_of_threads(problem, device);
  for_thread_tiles(problem, device, [&](ThreadTile tile) {
    const ThreadTileWork work = work_of(tile, problem);
    if (smem_bytes(work) > device.smem_bytes_per_block) return;
    const Amounts amounts = amounts_of(work, problem, device, law);
    for_filling_slices(work.tile, problem, device, [&](int slices) {
      tile.slices = slices;
      tile.whole_tiles = 0;
      near.add({by_law(amounts, {slices}, law.of, law.rates, near.limit()).clocks, tile});
    });
    for_cut_tails(
        work.tile, amounts.tiles, amounts.resident, problem, device, [&](const TileCut& cut) {
          const double clocks = by_law(amounts, cut, law.of, law.rates, near.limit()).clocks;
          tile.slices = cut.slices;
          tile.whole_tiles = cut.whole_tiles;
          near.add({kWorthOfThreadsTail * clocks, tile});
        });
  });
  std::vector<RankedThreads> list = std::move(near).list();
  keep_fastest(list, most);
  return list;
}

}  // namespace jute::plan
