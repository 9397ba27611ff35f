// Holds the model to every way, of both instructions.
#include "plan/choose/ranked/ranked_line_tiles.hpp"

#include "plan/choose/ranked/fastest.hpp"
#include "plan/cost/law.hpp"
#include "plan/shapes/direct/line_tiles.hpp"

namespace jute::plan {

std::vector<RankedCandidate> ranked_line_tiles(const KernelProblem& problem,
                                               const DeviceInfo& device,
                                               const std::vector<MmaAtom>& atoms, size_t most) {
  std::vector<RankedCandidate> list;
  for (const MmaAtom* atom : atoms_of_lines(atoms, problem)) {
    const Family family = atom->form == MmaForm::fma ? Family::line_threads : Family::line_warps;
    const FamilyLaw law = law_of(family, atom->form, problem.a.type, problem.accumulate, device);
    for (const Tile& tile : line_tiles(*atom, problem, device)) {
      const Block block = line_block(covered_by_lines(tile, *atom, problem), atom->form, problem);
      list.push_back({clocks(block, grid_of(block, problem), {}, law.rates, law.of).clocks,
                      {*atom, family, tile}});
    }
  }
  keep_first_of_fastest(list, most);
  return list;
}

}  // namespace jute::plan
