// Holds the model to every way, of both instructions.
#include "plan/choose/ranked/ranked_line_tiles.hpp"

#include "plan/choose/ranked/fastest.hpp"
#include "plan/cost/tiles/line_cost.hpp"
#include "plan/shapes/line_tiles.hpp"

namespace jute::plan {

std::vector<RankedLines> ranked_line_tiles(const KernelProblem& problem, const DeviceInfo& device,
                                           const std::vector<MmaAtom>& atoms, size_t most) {
  const LineSides sides = line_sides(problem);
  std::vector<RankedLines> list;
  for (const MmaAtom* atom : atoms_of_lines(atoms, problem)) {
    const RowScale scale = row_scale(problem, atom->form, device);
    for (const LineTile& tile : line_tiles(*atom, problem, device))
      list.push_back({predicted(work_of(tile, *atom, problem), sides.line_count, sides.row_count,
                                problem.k.value, problem.batch.value, device, scale)
                          .clocks,
                      *atom, tile});
  }
  keep_first_of_fastest(list, most);
  return list;
}

}  // namespace jute::plan
