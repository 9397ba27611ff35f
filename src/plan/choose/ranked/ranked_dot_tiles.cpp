// Holds the model to every way that a grid has room for.
#include "plan/choose/ranked/ranked_dot_tiles.hpp"

#include "plan/choose/ranked/fastest.hpp"
#include "plan/cost/fitted.hpp"
#include "plan/cost/law.hpp"
#include "plan/shapes/direct/dot_products.hpp"
#include "plan/shapes/generic_tiles.hpp"
#include "plan/values/tile_counts.hpp"

namespace jute::plan {

std::vector<RankedTile> ranked_dot_tiles(const KernelProblem& problem, const DeviceInfo& device,
                                         size_t most, Specialize specialize) {
  if (!suits_dot_products(problem)) return {};
  const FamilyLaw law =
      law_of(Family::dot_products, MmaForm::fma, problem.a.type, problem.accumulate, device);
  const bool is_stored =
      (problem.m.value > problem.n.value ? problem.a : problem.b).stored.has_value();
  std::vector<RankedTile> list;
  for (const Tile& tile : dot_tiles(problem)) {
    if (specialize == Specialize::generic && !is_generic_dot(tile)) continue;
    const Tile covered = covered_by_dots(tile, problem);
    const TileShape shape{covered.m, covered.n, 0};
    if (!fits_grid(shape, problem.m.value, problem.n.value, problem.batch.value)) continue;
    const Block block = dot_block(covered, dot_accesses(covered, problem), problem);
    const double expected = clocks(block, grid_of(block, problem), {}, law.rates, law.of).clocks;
    list.push_back({is_stored ? fitted::kDotsOfStored * expected : expected, tile});
  }
  keep_first_of_fastest(list, most);
  return list;
}

}  // namespace jute::plan
