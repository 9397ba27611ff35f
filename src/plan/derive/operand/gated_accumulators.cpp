// A gate's half of a thread's accumulators: the first of its rows, or of its columns.
#include <jute/plan/derive/operand/fragment.hpp>
#include <jute/plan/derive/operand/gated_accumulators.hpp>

namespace jute {

GatedAccumulators gated_accumulators(const GemmStep& step) {
  const Fragment d = fragment(step.mma, Operand::c, step.tile);
  const Index of_column = Index{d.values} * d.repeats;
  const bool along_m = has_halves(step, Operand::a);
  return {Layout(IntTuple{of_column, d.steps}, IntTuple{1, along_m ? 2 * of_column : of_column}),
          along_m ? of_column : of_column * d.steps};
}

}  // namespace jute
