// Fills the copy and fragment templates for A and B.
#include "codegen/operand.hpp"

#include "base/format.hpp"
#include "codegen/asm_text.hpp"
#include "codegen/constant_text.hpp"
#include "codegen/index_function.hpp"

namespace jute::codegen {
namespace {

/// The template with the operand's letters in it.
Piece lettered(const TemplateSet& templates, const std::string& path, const OperandSide& side) {
  Piece piece(templates, path);
  const std::pair<std::string_view, const std::string&> letters[] = {
      {"x", side.lower}, {"X", side.upper}, {"mn", side.mn_lower}, {"MN", side.mn_upper}};
  for (const auto& [hole, letter] : letters)
    if (piece.has_hole(hole)) piece.fill(hole, letter);
  return piece;
}

std::string by_major(const OperandSide& side, const std::string& stem) {
  return stem + (side.plan->major == Major::k ? "_k_major.cu" : "_mn_major.cu");
}

/// Registers that one matrix load fills.
int read_registers(const OperandPlan& operand) {
  return operand.smem_read_elems * width_bits(operand.type) / 32;
}

/// The wrapper round the operand's matrix load.
std::string ldmatrix_function(const TemplateSet& templates, const OperandSide& side,
                              const CopyAtom& atom) {
  const AsmList registers{"reg", 'r', read_registers(*side.plan), 0};
  return Piece(templates, "fragment/ldmatrix.cu")
      .fill("atom", atom.name)
      .fill("ptx", atom.ptx)
      .fill("x", side.lower)
      .fill("X", side.upper)
      .fill("places", places(registers))
      .fill("count", registers.count)
      .fill("outputs", operands(registers, "="))
      .text();
}

}  // namespace

std::string operand_functions(const TemplateSet& templates, const OperandSide& side) {
  const OperandPlan& operand = *side.plan;
  const std::string &x = side.lower, &X = side.upper;
  const int bytes = width_bytes(operand.type);
  const std::string read_comment =
      operand.read_atom ? base::format("the row of {} that a lane points at", X)
                        : base::format("where a thread finds its fragments of {}", X);
  std::string text =
      coordinate_function("copy_" + x + "_mn",
                          base::format("{} of the values that a thread copies", side.mn_lower),
                          operand.copy_mn) +
      coordinate_function("copy_" + x + "_k", "k of the values that a thread copies",
                          operand.copy_k) +
      smem_function("store_" + x,
                    base::format("where a thread puts what it copies into {}'s stage", X),
                    operand.store, bytes) +
      smem_function("read_" + x, read_comment, operand.read, bytes);
  if (operand.read_atom) text += ldmatrix_function(templates, side, *operand.read_atom);
  return text;
}

std::string operand_constants(const OperandSide& side, const GemmStep& step) {
  const OperandPlan& operand = *side.plan;
  const Fragment& fragment = *side.fragment;
  const Operand which = side.lower == "a" ? Operand::a : Operand::b;
  const auto named = [&](std::string_view stem, Index value, std::string_view meaning) {
    return constant(std::string(stem) + side.upper, value, meaning);
  };
  std::string text =
      base::format("// {} on its way: global memory, a stage, a thread's fragments.\n",
                   side.upper) +
      named("kStageBytes", operand.stage_stride_elems * width_bytes(operand.type),
            "from one stage to the next") +
      named("kCopyElems", operand.vector_elems, "elements of one global access") +
      named("kCopies", size(operand.copy_tv[1]) / operand.vector_elems,
            "accesses of a thread for one stage") +
      named("kStoreElems", operand.smem_store_elems, "elements of one write into shared memory");
  const int reads = fragment.values * fragment.repeats / operand.smem_read_elems;
  if (operand.read_atom)
    text += named("kReads", reads, "matrix loads of a k-step") +
            named("kReadRegisters", read_registers(operand), "registers that one of them fills");
  else
    text += named("kReads", reads, "reads of a k-step") +
            named("kReadElems", operand.smem_read_elems, "elements of one of them");
  const Extent& extent = side.lower == "a" ? step.m : step.n;
  const std::string_view cuda = cuda_type(register_of(step.mma.atom(), which));
  return text +
         named("kFragment", fragment.values * fragment.repeats,
               "elements of a thread in a k-step") +
         named("kAtomRegisters", registers(step.mma.atom(), which),
               "registers that one instruction takes") +
         flag("kWholeTiles" + side.mn_upper, extent.baked && extent.value % side.tile_mn == 0,
              base::format("no tile reaches past {}", side.mn_upper)) +
         base::format("typedef {} Register{};\n",
                      cuda.empty() ? "Elem" + side.upper : std::string(cuda), side.upper) +
         base::format("typedef Vector<Elem{0}, kCopyElems{0}> Vector{0};\n", side.upper) +
         base::format("typedef Fragment<Elem{0}, kFragment{0}, Register{0}> Fragment{0};\n",
                      side.upper);
}

std::string source_piece(const TemplateSet& templates, const OperandSide& side) {
  return lettered(templates, by_major(side, "copy/operand"), side).text();
}

std::string load_piece(const TemplateSet& templates, const OperandSide& side) {
  const bool staged = side.plan->transfer == Transfer::registers;
  return lettered(templates, by_major(side, staged ? "copy/load" : "copy/async"), side).text();
}

std::string store_piece(const TemplateSet& templates, const OperandSide& side) {
  return lettered(templates, "copy/store_tile.cu", side).text();
}

std::string read_piece(const TemplateSet& templates, const OperandSide& side,
                       const ReadPlace& place) {
  Piece piece = lettered(
      templates, side.plan->read_atom ? "fragment/ldmatrix_read.cu" : "fragment/vector_read.cu",
      side);
  if (side.plan->read_atom) piece.fill("atom", side.plan->read_atom->name);
  const bool share = place.behind_row;
  return piece.fill("frag", side.lower + "_frag" + place.fragment_suffix)
      .fill("stage", place.stage)
      .fill("step", place.step)
      .fill("first", share ? "j * kRowReads" + side.upper : "0")
      .fill("end", share ? base::format("min((j + 1) * kRowReads{0}, kReads{0})", side.upper)
                         : "kReads" + side.upper)
      .text();
}

}  // namespace jute::codegen
