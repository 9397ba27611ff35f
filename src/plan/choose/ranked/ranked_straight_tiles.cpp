// Holds the model to few tiles.
#include "plan/choose/ranked/ranked_straight_tiles.hpp"

#include <algorithm>

#include "plan/choose/ranked/fastest.hpp"
#include "plan/cost/law.hpp"
#include "plan/shapes/direct/straight_tiles.hpp"
#include "plan/shapes/generic_tiles.hpp"

namespace jute::plan {
namespace {

/// Tiles that read what is stored of the larger operand once, where some do.
void keep_reading_once(std::vector<Tile>& tiles, const MmaAtom& atom,
                       const KernelProblem& problem) {
  const bool is_b = problem.m.value <= problem.n.value;
  if (!(is_b ? problem.b : problem.a).stored) return;
  const auto again = std::stable_partition(tiles.begin(), tiles.end(), [&](const auto& tile) {
    const Tile covered = covered_by_warps(tile, atom, problem);
    return is_b ? covered.m >= problem.m.value : covered.n >= problem.n.value;
  });
  if (again != tiles.begin()) tiles.erase(again, tiles.end());
}

}  // namespace

std::vector<RankedTile> ranked_straight_tiles(const MmaAtom& atom, const KernelProblem& problem,
                                              const DeviceInfo& device, size_t most,
                                              Specialize specialize) {
  std::vector<Tile> tiles = straight_tiles(atom, problem, device, specialize);
  keep_reading_once(tiles, atom, problem);
  if (tiles.empty()) return {};
  const FamilyLaw law =
      law_of(Family::straight_tiles, atom.form, problem.a.type, problem.accumulate, device);
  std::vector<RankedTile> list;
  for (const Tile& tile : tiles) {
    const Tile covered = covered_by_warps(tile, atom, problem);
    const Block block =
        straight_block(covered, straight_accesses(covered, atom, problem), problem, device);
    list.push_back({clocks(block, grid_of(block, problem), {}, law.rates, law.of).clocks, tile});
  }
  if (specialize == Specialize::generic) {
    prefer_early(list, kWorthOfStraight);
  } else {
    keep_first_of_fastest(list, most);
  }
  return list;
}

}  // namespace jute::plan
