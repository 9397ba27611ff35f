// Sentences about conversions, each with the formula of an element.
#include "plan/words/conversion_words.hpp"

#include <jute/epilogue/types.hpp>

#include "base/format.hpp"

namespace jute::plan {
namespace {

/// The number that an element stands for: `(q - zero) * scale`.
std::string number_text(const MoveConversion& conversion) {
  const std::string zero = conversion.zero          ? "zero"
                           : conversion.offset != 0 ? base::format("{}", conversion.offset)
                                                    : "";
  const std::string from = zero.empty() ? "q" : "(q - " + zero + ")";
  return conversion.scale ? from + " * scale" : from;
}

}  // namespace

std::string conversion_numerics(char letter, const MoveConversion& conversion, DType type) {
  return base::format(
      "Elements q of {} are multiplied as {}, which is computed in f32, each operation rounded to "
      "nearest, and then rounded to {}: where that is not exact the bound has what it loses{}.\n",
      letter, number_text(conversion), name(type),
      is_integer(type) ? "" : ", and what is beyond the range of that type is infinite");
}

std::string conversion_reason(const Move& move) {
  return base::format(
      "No instruction multiplies {} of {} with the other operand as it is: its elements q are "
      "converted once into the workspace, as {} of {}.\n",
      "ABCD"[static_cast<size_t>(move.tensor)], name(move.type), number_text(*move.conversion),
      name(move.copy_type));
}

std::string scaling_reason(const BlockScaling& scaling) {
  std::string made;
  for (const EpilogueOutput& output : scaling.expression.outputs)
    made += (made.empty() ? "" : " and ") + std::string(is_d(output) ? "D" : output.name);
  return base::format(
      "No tile holds {}, whose largest magnitude the epilogue names: the product leaves values of "
      "f32 and those magnitudes in the workspace, and a second step makes {}.\n",
      block_of(scaling.expression).m == 1 ? "a whole row of D" : "all of D", made);
}

std::string scaling_numerics(const BlockScaling& scaling) {
  return base::format(
      "The second step computes {} of those values of f32, each operation rounded as it is "
      "written, and every output once to its own type.\n",
      jute::to_string(scaling.expression));
}

std::string stored_reason(char letter, const OperandPlan& operand) {
  return base::format("{}'s elements q are {} in memory and become {} of {} in registers{}.\n",
                      letter, name(operand.stored->type), number_text(operand.stored->conversion),
                      name(operand.type),
                      transfer_of(operand) == Transfer::straight ? ": of few rows that moves least"
                      : transfer_of(operand) == Transfer::tma    ? ", from a stage to fragments"
                      : transfer_of(operand) == Transfer::cp_async
                          ? ", from a stage to where instructions find them"
                          : ", on their way to shared memory");
}

std::string scaled_numerics(const GemmStep& step) {
  if (!step.a.scales && !step.b.scales) return {};
  return base::format(
      "The sum of each {} of k is multiplied by {} and added in one step, rounded once to f32; no "
      "element is rounded.\n",
      step.promote_every_k,
      step.a.scales && step.b.scales
          ? "the product of the scales of A and B, rounded to f32 (which must not overflow),"
          : "the scale");
}

std::string scaled_reason(const GemmStep& step) {
  if (!step.a.scales && !step.b.scales) return {};
  return base::format(
      "Elements are multiplied as they are; what instructions sum of {} of k is multiplied by the "
      "scales of its blocks as threads add it.\n",
      step.promote_every_k);
}

}  // namespace jute::plan
