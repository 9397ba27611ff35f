// Holds the model to every way that a grid has room for.
#include "plan/choose/ranked/ranked_dot_tiles.hpp"

#include "plan/choose/ranked/fastest.hpp"
#include "plan/cost/tiles/direct_amounts.hpp"
#include "plan/shapes/dot_products.hpp"
#include "plan/shapes/generic_tiles.hpp"
#include "plan/values/tile_counts.hpp"

namespace jute::plan {

std::vector<RankedTile> ranked_dot_tiles(const KernelProblem& problem, const DeviceInfo& device,
                                         size_t most, Specialize specialize) {
  if (!suits_dot_products(problem)) return {};
  const FamilyLaw law = law_of(Family::dot_products, MmaForm::fma, problem, device);
  std::vector<RankedTile> list;
  for (const Tile& tile : dot_tiles(problem)) {
    if (specialize == Specialize::generic && !is_generic_dot(tile)) continue;
    const DotWork work = dot_work(tile, problem);
    const bool is_b = tile.streamed == Operand::b;
    const TileShape covered{is_b ? work.rows : work.lines, is_b ? work.lines : work.rows,
                            static_cast<int>(work.k)};
    if (!fits_grid(covered, problem.m.value, problem.n.value, problem.batch.value)) continue;
    list.push_back({dot_clocks(tile, problem, device, law), tile});
  }
  keep_first_of_fastest(list, most);
  return list;
}

}  // namespace jute::plan
