// Holds the model to few tiles.
#include "plan/choose/ranked/ranked_straight_tiles.hpp"

#include <algorithm>

#include "plan/cost/tiles/direct_amounts.hpp"
#include "plan/shapes/generic_tiles.hpp"
#include "plan/shapes/straight_tiles.hpp"

namespace jute::plan {
std::vector<StraightTile> ranked_straight_tiles(const MmaAtom& atom, const KernelProblem& problem,
                                                const DeviceInfo& device, size_t most,
                                                Specialize specialize) {
  const std::vector<StraightTile> tiles = straight_tiles(atom, problem, device, specialize);
  if (tiles.empty()) return {};
  const FamilyLaw law = law_of_straight(work_of(atom, tiles[0], problem), problem, device);
  std::vector<RankedOf<StraightTile>> list;
  for (const StraightTile& tile : tiles)
    list.push_back({straight_clocks(work_of(atom, tile, problem), problem, device, law), tile});
  if (specialize == Specialize::generic) {
    prefer_early(list, kWorthOfStraight);
    most = list.size();
  } else {
    std::ranges::stable_sort(list, {}, &RankedOf<StraightTile>::clocks);
  }
  std::vector<StraightTile> best;
  for (size_t i = 0; i < std::min(most, list.size()); ++i) best.push_back(list[i].tile);
  return best;
}

}  // namespace jute::plan
