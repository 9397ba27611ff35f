// Finds the matrix that may land where D will lie.
#include "plan/derive/drain/landing.hpp"

#include <jute/epilogue/types.hpp>

#include "plan/derive/drain/subtile_drain.hpp"

namespace jute::plan {

void choose_landing(GemmStep& step, const KernelProblem& problem, const Fragment& c,
                    const Catalogue& catalogue) {
  EpiloguePlan& out = step.epilogue;
  const auto is_like_d = [&](const KernelMatrix& matrix) {
    return order_of(matrix) == out.d_order && matrix.access_bytes == 16 &&
           width_bits(matrix.type) == width_bits(out.d_type);
  };
  const bool has_c = c_read(out.expression) != CRead::never;
  bool lands = has_c && is_like_d(problem.c);
  for (size_t i = 0; !has_c && !lands && i < problem.inputs.size(); ++i) {
    const KernelOperand& input = problem.inputs[i];
    lands = input.extent == EpilogueExtent::elements && !input.is_bits && is_like_d(input.matrix);
    if (lands) out.drain->input = static_cast<int>(i);
  }
  if (lands) out.drain->c_atom = load_like_store(*out.drain, step, c, catalogue);
  if (!out.drain->c_atom) out.drain->input.reset();
  if (!out.drain->c_atom || (out.drain->boxes && !out.c_boxed)) return;
  const SubtileDrain before = *out.drain;
  out.drain = derived_again(before, step, c);
  if (out.drain || !out.c_boxed) return;
  out.drain = before;  // of whose boxes C's View has none
  out.drain->c_atom.reset();
}

}  // namespace jute::plan
