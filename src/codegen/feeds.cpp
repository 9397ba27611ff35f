// Fills the templates that bring what a thread has read to the fragments that it multiplies.
#include <jute/atom/asm_operands.hpp>
#include <jute/layout/algebra.hpp>

#include "base/format.hpp"
#include "codegen/operand.hpp"
#include "codegen/word_conversions.hpp"

namespace jute::codegen {
namespace {

/// Are two neighbours of a fragment one register of it, and neighbours where they were loaded?
bool are_loaded_in_pairs(const OperandSide& side, const GemmStep& step) {
  constexpr int kPair = 2, kHalfBits = 16;
  const OperandPlan& operand = *side.plan;
  const MmaAtom& atom = step.mma.atom();
  if (width_bits(operand.type) != kHalfBits || operand.vector_elems % kPair != 0 ||
      kPair * registers(atom, side.operand) != values_per_thread(atom, side.operand))
    return false;
  if (straight_of(operand).order == Layout()) return true;
  const Layout place = right_inverse(straight_of(operand).order);
  for (Index value = 0; value < size(place); value += kPair)
    if (place(value) % kPair != 0 || place(value + 1) != place(value) + 1) return false;
  return true;
}

const char* path_of_feed(const OperandSide& side, const GemmStep& step) {
  const OperandPlan& operand = *side.plan;
  if (transfer_of(operand) == Transfer::straight) {
    const bool is_beside_words =
        becomes_pairs(step.a, step.arch) || becomes_pairs(step.b, step.arch);
    if (straight_of(operand).order == Layout())
      return is_beside_words && are_loaded_in_pairs(side, step)
                 ? "fragment/vector_read.cu (staged words)"
                 : "fragment/vector_read.cu (staged)";
    return are_loaded_in_pairs(side, step) ? "fragment/vector_read.cu (sorted words)"
                                           : "fragment/vector_read.cu (sorted)";
  }
  if (fragments_of(operand).atom) return "fragment/ldmatrix.cu (read)";
  return side.in_order ? "fragment/vector_read.cu (ordered)" : "fragment/vector_read.cu";
}

}  // namespace

std::string feed_piece(const TemplateSet& templates, const OperandSide& side,
                       const GemmStep& step) {
  return Piece(templates, path_of_feed(side, step))
      .fill_if("x", side.lower)
      .fill_if("X", side.upper)
      .text();
}

}  // namespace jute::codegen
