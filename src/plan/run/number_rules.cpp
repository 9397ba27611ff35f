// Collects the numbers that kernels hold and the strides that they walk in whole vectors.
#include <jute/base/error.hpp>
#include <jute/base/refuse.hpp>
#include <jute/epilogue/types.hpp>
#include <jute/plan/run/number_rules.hpp>

#include <string>
#include <utility>

#include "base/format.hpp"

namespace jute {
namespace {

void add_step(const GemmStep& step, NumberRules& rules) {
  const auto add = [&](const Extent& extent, int vector = 1, bool is_batch = false) {
    if (extent.baked)
      rules.literals.push_back({extent.count, extent.value});
    else if (const int of = vector * extent.multiple_of; of > 1)  // one of them is 1
      rules.strides.push_back({extent.count, of, is_batch});
  };
  const EpiloguePlan& epilogue = step.epilogue;
  for (const Extent* extent : {&step.m, &step.n, &step.k, &step.batch}) add(*extent);
  const bool has_strides = !lists_operands(step.groups);  // else the list has a, b, c and d
  for (const OperandPlan* operand : {&step.a, &step.b}) {
    if (!has_strides) continue;
    const int together = straight_of(*operand).shifted || straight_of(*operand).from_chunk
                             ? 1
                             : operand->vector_elems;
    add(operand->ld, together);
    add(operand->batch_stride, together, true);
  }
  if (has_strides) add(epilogue.ldd, epilogue.vector_elems);
  if (has_strides) add(epilogue.d_batch_stride, epilogue.vector_elems, true);
  for (const auto* operands : {&epilogue.inputs, &epilogue.outputs})
    for (const EpilogueOperandPlan& operand : *operands) {
      if (operand.by_value || is_d(operand)) continue;
      if (operand.extent >= EpilogueExtent::elements) add(operand.ld, operand.vector_elems);
      add(operand.batch_stride, operand.vector_elems, true);
    }
  if (c_read(epilogue.expression) == CRead::never || !has_strides) return;
  add(epilogue.ldc, epilogue.c_vector_elems);
  add(epilogue.c_batch_stride, epilogue.c_vector_elems, true);
}

void add_strides(TensorRole tensor, int multiple_of, NumberRules& rules) {
  rules.strides.push_back({ld_of(tensor), multiple_of, false});
  rules.strides.push_back({batch_stride_of(tensor), multiple_of, true});
}

/// Transposing reads whole chunks where all rows begin at one, converting whole words; other copies
/// begin anywhere.
void add_move(const Move& move, NumberRules& rules) {
  constexpr int kChunkBytes = 16, kByteBits = 8;
  if (move.own_alignment > 0) return;  // the kernel looks at the list
  if (move.conversion && move.access_bytes > width_bytes(move.type))
    add_strides(move.tensor, move.access_bytes * kByteBits / width_bits(move.type), rules);
  if (!move.transposed || goes_by_elements(move) || move.access_bytes < kChunkBytes) return;
  add_strides(move.tensor, kChunkBytes / width_bytes(move.type), rules);
}

[[noreturn]] void refuse(const Count& number, Index value, std::string rule, Index nearest) {
  refuse(ErrorCode::illegal_problem, to_string(number), std::to_string(value), std::move(rule),
         std::to_string(nearest));
}

}  // namespace

NumberRules number_rules(const Plan& plan) {
  NumberRules rules;
  add_step(gemm_step(plan), rules);
  for (const Step& step : plan.steps)
    if (const auto* moves = std::get_if<MoveStep>(&step)) {
      for (const Move& move : moves->moves) add_move(move, rules);
      // Sums are formed of operands as they lie, also where a copy is made already.
      for (const OperandSum& sum : moves->sums)
        if (sum.vector_elems > 1) add_strides(sum.tensor, sum.vector_elems, rules);
    }
  return rules;
}

void check(const NumberRules& rules, const RunValues& run) {
  for (const LiteralRule& rule : rules.literals)
    if (const Index value = rule.number.evaluate(run); value != rule.value)
      refuse(rule.number, value,
             base::format("{} must be the kernel's literal; prepare with specialize none to change "
                          "it from run to run",
                          to_string(rule.number)),
             rule.value);
  for (const StrideRule& rule : rules.strides) {
    const Index value = rule.stride.evaluate(run);
    if (value % rule.multiple_of == 0 || (rule.batch_only && run.batch <= 1)) continue;
    refuse(rule.stride, value,
           base::format("{} must be a multiple of {}, as the kernel was planned for",
                        to_string(rule.stride), rule.multiple_of),
           (value / rule.multiple_of + 1) * rule.multiple_of);
  }
}

}  // namespace jute
