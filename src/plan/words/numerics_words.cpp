// The promises of a plan's arithmetic, in sentences: the order of sums, where they are rounded.
#include <jute/epilogue/fold.hpp>
#include <jute/plan/values/plan.hpp>

#include <cmath>
#include <utility>

#include "base/format.hpp"
#include "plan/values/block_threads.hpp"
#include "plan/words/conversion_words.hpp"

namespace jute {
namespace {

using plan::parts_of_k;

/// From where k ascends, in blocks that begin at several places of it.
std::string start_words(const KernelSchedule& schedule) {
  if (schedule.k_starts == 1) return {};
  return base::format(
      " It begins at one of {} places, neighbouring blocks in turn, and goes on at 0 behind the "
      "last.",
      schedule.k_starts);
}

/// The pieces that have sums of their own: slices of K, and parts of those; nothing where sums are
/// of all of it.
std::string pieces_of_k(const GemmStep& step) {
  const int parts = parts_of_k(step), split_k = step.schedule.split_k;
  if (parts > 1 && split_k > 1)
    return base::format("{} parts of each of {} slices", parts, split_k);
  if (parts > 1) return base::format("{} parts", parts);
  if (split_k > 1 && step.schedule.whole_tiles > 0)
    return base::format("{} slices of the tiles behind the first {}, and within all of K elsewhere",
                        split_k, step.schedule.whole_tiles);
  return split_k > 1 ? base::format("{} slices", split_k) : std::string();
}

std::string order_of_operations(const GemmStep& step) {
  const std::string starts = start_words(step.schedule), pieces = pieces_of_k(step);
  if (pieces.empty() && step.mma.atom().form == MmaForm::fma)
    return "Each element is one chain of fused multiply-adds from 0 with k ascending, rounded to "
           "nearest even after every one." +
           starts;
  return std::string(
             "Each instruction adds its products to the accumulator as the hardware does; ") +
         (pieces.empty()
              ? "k ascends from instruction to instruction."
              : base::format(
                    "k ascends within each of {}, whose sums are then added in their order.",
                    pieces)) +
         starts;
}

std::string promotion_words(const GemmStep& step) {
  if (step.promote_every_k == 0) return "without promotion";
  return base::format("sums of {} of k each, which threads add with one rounding",
                      step.promote_every_k);
}

/// The way in which split operands are multiplied, and what becomes of what is not finite.
std::string split_words(const GemmStep& step) {
  if (step.products.empty()) return "NaN and infinity propagate as IEEE 754 has it;";
  return base::format(
      "Operands are split into terms of {}, of which {} products are added, the smallest first.\n"
      "NaN and infinite operands give what they give in f32, sums beyond its range an infinity or "
      "NaN; operands below 2^-100 lose digits;",
      name(step.a.type), step.products.size());
}

std::string roundoff(const GemmStep& step) {
  if (step.accumulate == DType::s32) return "0 (exact below 2^31, wraps beyond)";
  return base::format("2^{:.3g}", std::log2(sum_roundoff(step, step.k.value)));
}
/// How what names a seed is rounded.
std::string drawn_words(const EpilogueExpression& expression) {
  if (!names(expression, EpilogueOp::stochastic)) return {};
  return "A value with a seed is rounded to one of its two neighbours, away from 0 where the upper "
         "24 "
         "bits of the first word of Philox 4x32-10 of the seed and of m*N + n lie below what it is "
         "beyond the other: the same bits for any tile.\n";
}

std::string step_numerics(const MoveStep& step) {
  std::string text;
  for (const Move& move : step.moves)
    if (move.conversion)
      text += plan::conversion_numerics("ABCD"[static_cast<size_t>(move.tensor)], *move.conversion,
                                        move.copy_type);
    else if (move.scaling)
      text += plan::scaling_numerics(*move.scaling) + drawn_words(move.scaling->expression);
  return text;
}

/// An expression as sentences about its rounding, and as the terms of its error bound.
struct EpilogueWords {
  struct Value {
    std::string rounding, bound;
  };
  Value acc() const { return {"", "(K+2) u (|A||B|)"}; }
  Value alpha() const { return {"alpha", "|alpha|"}; }
  Value multiply(const Value& factor, const Value& x) const {
    return {base::format("{}the sum is multiplied by {}, ", x.rounding, factor.rounding),
            base::format("{} {}", factor.bound, x.bound)};
  }
  Value add_beta_c(const Value& x) const {
    return {x.rounding + "beta * C is added in one fused step (beta = 0 never reads C), ",
            x.bound + " + 4 u |beta C|"};
  }
};

/// The same of a problem's own epilogue, whose bound is an interval.
std::string own_numerics(const GemmStep& gemm) {
  const EpiloguePlan& out = gemm.epilogue;
  return base::format(
             "Accumulates in {}, {}. {}\n"
             "{}\n"
             "is computed in {}: every operation is rounded as it is written, but a product that "
             "is added "
             "in one step, and every output once to its own type.\n"
             "{} the result is the same from run to run.\n"
             "The sum lies within (K+2) u (|A||B|) of acc with u = {}; an output lies where the "
             "expression takes that interval, each function moving it outward by its error.\n",
             name(gemm.accumulate), promotion_words(gemm), order_of_operations(gemm),
             to_string(out.expression), name(out.compute), split_words(gemm), roundoff(gemm)) +
         drawn_words(out.expression);
}

std::string step_numerics(const GemmStep& gemm) {
  const EpilogueExpression& expression = gemm.epilogue.expression;
  const std::string stored =
      plan::of_stored(gemm,
                      [](char letter, const OperandPlan& operand) {
                        return plan::conversion_numerics(letter, operand.stored->conversion,
                                                         operand.type);
                      }) +
      plan::scaled_numerics(gemm);
  if (!gemm.epilogue.outputs.empty()) return stored + own_numerics(gemm);
  EpilogueWords words;
  const EpilogueWords::Value epilogue = evaluate(expression, words);
  return stored + base::format(
                      "Accumulates in {}, {}. {}\n"
                      "D = {}: {}the result is rounded once to {}.\n"
                      "{} the result is the same from run to run.\n"
                      "|error| <= {} + u_out |D| with u = {}.\n",
                      name(gemm.accumulate), promotion_words(gemm), order_of_operations(gemm),
                      to_string(expression), epilogue.rounding, name(gemm.epilogue.d_type),
                      split_words(gemm), epilogue.bound, roundoff(gemm));
}

}  // namespace

std::string numerics(const Plan& plan) {
  std::string result;
  for (const Step& step : plan.steps)
    result += std::visit([](const auto& one) { return step_numerics(one); }, step);
  const std::optional<RowTable>& rows = plan.problem.d.rows;
  if (rows && rows->store == RowStore::add)
    result +=
        "But rows are added to D by atomics in no order: each addition rounds, so that sums of "
        "several rows may differ from run to run, and f32 flushes what is subnormal.\n";
  for (std::size_t i = 0; i < plan.behind.size(); ++i)
    if (const std::string of_part = numerics(plan.behind[i]); result.find(of_part) == result.npos)
      result += base::format("Part {} of {}: {}", i + 2, plan.behind.size() + 1, of_part);
  return result;
}

}  // namespace jute
