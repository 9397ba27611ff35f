// Takes the permutation of an operand's lines out of a TiledMma.
#include <jute/plan/derive/operand/line_ends.hpp>

#include "plan/chip/line.hpp"
#include "plan/values/block_threads.hpp"

namespace jute {

LineEnds line_ends(const GemmStep& step, Operand operand) {
  const TiledMma& mma = step.mma;
  const bool is_a = operand == Operand::a;
  std::vector<Tiler> modes = mma.permutation().modes();
  modes[is_a ? 0 : 1] = Tiler::wildcard();
  const TiledMma in_turn(mma.atom(), mma.atom_layout(), Tiler(std::move(modes)));
  const ShapeMnk unit = tile_shape(in_turn);
  TileShape ends = step.tile;
  const int of_unit = is_a ? unit.m : unit.n;
  const int of_chunk = plan::elements_of_chunk((is_a ? step.a : step.b).type);
  const int units = (of_chunk + of_unit - 1) / of_unit;
  (is_a ? ends.m : ends.n) = units * of_unit;
  return {.lines = units * of_unit,
          .repeats = units,
          .operand = fragment(in_turn, operand, ends),
          .sums = plan::drained(step, fragment(in_turn, Operand::c, ends).tv)};
}

}  // namespace jute
