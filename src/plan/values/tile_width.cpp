// Multiples of the least width, and what shared memory holds of them.
#include "plan/values/tile_width.hpp"

#include <algorithm>

namespace jute::plan {

std::vector<int> tile_widths(int rows, int widest) {
  std::vector<int> widths;
  const int half = widest / 2 / kUnitOfWidths * kUnitOfWidths;
  for (int width = rows > kGroupRows ? std::max(half, kUnitOfWidths) : kUnitOfWidths;
       width <= widest; width += kUnitOfWidths)
    widths.push_back(width);
  return widths;
}

int subtile_of_widths(int widest) {
  int columns = kUnitOfWidths;
  for (int wider = columns; wider <= std::min(kMostOfSubtile, widest); wider += kUnitOfWidths)
    if (widest % wider == 0) columns = wider;
  return columns;
}

int stages_in(Index ring_bytes, Index stage_bytes) {
  return static_cast<int>(std::min<Index>(ring_bytes / stage_bytes, kStagesOfWidths));
}

Index ring_bytes(const GemmStep& step) {
  if (std::ranges::find(step.smem_map, "b", &SmemRegion::name) == step.smem_map.end()) return 0;
  const SmemRegion &a = smem_region(step, "a"), &b = smem_region(step, "b");
  return b.offset + b.bytes - a.offset;
}

}  // namespace jute::plan

namespace jute {

int stages_of_width(const GemmStep& step, Index width) {
  const Index ring = plan::ring_bytes(step);
  if (ring == 0) return step.schedule.stages;  // what the rules refuse
  const Index stage_a = stage_of(step.a).stage_stride_elems * width_bytes(step.a.type);
  const Index row_b = Index{step.tile.k} * width_bytes(step.b.type);
  return plan::stages_in(ring, stage_a + width * row_b);
}

std::vector<MmaAtom> atoms_of_widths(const GemmStep& step) {
  const MmaAtom& atom = step.mma.atom();
  if (!has_widths(step)) return {atom};
  std::vector<MmaAtom> atoms;
  for (const int width : step.schedule.widths) {
    const MmaTypes types{step.a.type, step.b.type,  step.accumulate,
                         width,       atom.a_major, atom.b_major};
    atoms.push_back(Catalogue::built_in().mmas(atom.form, step.arch, types).front());
  }
  return atoms;
}

}  // namespace jute
