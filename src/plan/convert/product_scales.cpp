// Which scales may wait until products are summed.
#include "plan/convert/product_scales.hpp"

#include "plan/convert/epilogue_scales.hpp"
#include "plan/values/promotion.hpp"

namespace jute::plan {
namespace {

/// Elements along K of the shortest instruction for numbers of 8 bits.
constexpr Index kInstruction = 32;

bool may_be_scaled(const Matrix& operand, const OperandScale& scale) {
  const bool is_in_sums = !scale.zero && scale.offset == 0;
  return is_small_float(operand.type) && is_in_sums && !operand.view &&
         (!scale.scale || scale.scale->block.k % kInstruction == 0);
}

}  // namespace

bool may_scale_products(const Problem& problem) {
  return problem.staged && problem.staged == usual_staged_type(problem) &&
         problem.accumulate == DType::f32 && may_be_scaled(problem.a, problem.scale_a) &&
         may_be_scaled(problem.b, problem.scale_b) && has_room_for_scales(problem);
}

bool scales_products(const GemmStep& step) { return step.a.scales || step.b.scales; }

bool multiplies_as_they_are(const Problem& problem, const GemmStep& step) {
  return problem.staged && is_small_float(step.a.type) && !step.a.stored;
}

Problem as_multiplied(Problem problem) {
  problem.staged.reset();
  return with_epilogue_scales(problem);
}

}  // namespace jute::plan
