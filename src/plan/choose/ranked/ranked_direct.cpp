// Holds the law to every tile that a grid has room for.
#include "plan/choose/ranked/ranked_direct.hpp"

#include <algorithm>

#include "plan/choose/ranked/fastest.hpp"
#include "plan/choose/ranked/priced.hpp"
#include "plan/cost/fitted.hpp"
#include "plan/shapes/direct/dot_products.hpp"
#include "plan/shapes/direct/lane_tiles.hpp"
#include "plan/shapes/direct/line_tiles.hpp"
#include "plan/shapes/direct/straight_tiles.hpp"
#include "plan/shapes/generic_tiles.hpp"
#include "plan/values/tile_counts.hpp"

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

bool has_grid(const Tile& covered, const KernelProblem& problem) {
  return fits_grid({covered.m, covered.n, 0}, problem.m.value, problem.n.value,
                   problem.batch.value);
}

}  // namespace

std::vector<RankedTile> ranked_straight_tiles(const MmaAtom& atom, const KernelProblem& problem,
                                              const DeviceInfo& device, size_t most,
                                              Specialize specialize) {
  std::vector<Tile> tiles = straight_tiles(atom, problem, device, specialize);
  keep_reading_once(tiles, atom, problem);
  if (tiles.empty()) return {};
  const FamilyLaw law = law_of(Family::straight_tiles, atom.form, problem, device);
  std::vector<RankedTile> list;
  for (const Tile& tile : tiles) {
    const Tile covered = covered_by_warps(tile, atom, problem);
    const BothAccesses accesses = straight_accesses(covered, atom, problem);
    list.push_back(
        {price_of(straight_block(covered, accesses, problem, device), problem, law), tile});
  }
  if (specialize == Specialize::generic)
    prefer_early(list, kWorthOfStraight);
  else
    keep_first_of_fastest(list, most);
  return list;
}

std::vector<RankedTile> ranked_lane_tiles(const KernelProblem& problem, const DeviceInfo& device,
                                          size_t most) {
  const FamilyLaw law = law_of(Family::lane_tiles, MmaForm::fma, problem, device);
  std::vector<RankedTile> list;
  for_lane_tiles(problem, device, [&](const Tile& tile) {
    const Tile covered = covered_by_lanes(tile, problem);
    if (!has_grid(covered, problem) || !has_whole_bytes(tile, problem)) return;
    const BothAccesses accesses = lane_accesses(covered, problem);
    list.push_back({price_of(lane_block(covered, accesses, problem, device), problem, law), tile});
  });
  keep_fastest(list, most);
  return list;
}

double least_lane_clocks(const KernelProblem& problem, const DeviceInfo& device) {
  const FamilyLaw law = law_of(Family::lane_tiles, MmaForm::fma, problem, device);
  return elements_of_d(problem.m.value, problem.n.value, problem.batch.value) *
         static_cast<double>(problem.k.value) / law.rates.multiply_adds / law.rates.sms *
         std::max(law.of.product, law.rates.of_fastest_clock);
}

std::vector<RankedTile> ranked_dot_tiles(const KernelProblem& problem, const DeviceInfo& device,
                                         size_t most, Specialize specialize) {
  if (!suits_dot_products(problem)) return {};
  const FamilyLaw law = law_of(Family::dot_products, MmaForm::fma, problem, device);
  const bool is_b = problem.m.value <= problem.n.value;
  const double worth = (is_b ? problem.b : problem.a).stored ? fitted::kDotsOfStored : 1;
  std::vector<RankedTile> list;
  for (const Tile& tile : dot_tiles(problem)) {
    if (specialize == Specialize::generic && !is_generic_dot(tile)) continue;
    const Tile covered = covered_by_dots(tile, problem);
    if (!has_grid(covered, problem)) continue;
    const BothAccesses accesses = dot_accesses(covered, problem);
    list.push_back({worth * price_of(dot_block(covered, accesses, problem), problem, law), tile});
  }
  keep_first_of_fastest(list, most);
  return list;
}

std::vector<RankedCandidate> ranked_line_tiles(const KernelProblem& problem,
                                               const DeviceInfo& device,
                                               const std::vector<MmaAtom>& atoms, size_t most) {
  std::vector<RankedCandidate> list;
  for (const MmaAtom* atom : atoms_of_lines(atoms, problem)) {
    const Family family = atom->form == MmaForm::fma ? Family::line_threads : Family::line_warps;
    const FamilyLaw law = law_of(family, atom->form, problem, device);
    for (const Tile& tile : line_tiles(*atom, problem, device)) {
      const Block block = line_block(covered_by_lines(tile, *atom, problem), atom->form, problem);
      list.push_back({price_of(block, problem, law), {*atom, family, tile}});
    }
  }
  keep_first_of_fastest(list, most);
  return list;
}

}  // namespace jute::plan
