// Fills the copy and fragment templates for A and B.
#include "codegen/operand.hpp"

#include "base/format.hpp"
#include "codegen/asm_text.hpp"
#include "codegen/constant_text.hpp"
#include "codegen/index_function.hpp"
#include "plan/matrix_read.hpp"

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

std::optional<plan::MatrixRead> matrix_read_of(const OperandSide& side) {
  if (!side.plan->read_atom) return std::nullopt;
  return plan::matrix_read(*side.plan->read_atom, *side.fragment, side.plan->smem, side.plan->type);
}

/// The wrapper round the operand's matrix load.
std::string ldmatrix_function(const TemplateSet& templates, const OperandSide& side,
                              const plan::MatrixRead& read) {
  const AsmList registers{"reg", 'r', read.registers, 0};
  return Piece(templates, "fragment/ldmatrix.cu")
      .fill("atom", read.atom.name)
      .fill("ptx", read.atom.ptx)
      .fill("x", side.lower)
      .fill("X", side.upper)
      .fill("places", places(registers))
      .fill("count", read.registers)
      .fill("outputs", operands(registers, "="))
      .text();
}

}  // namespace

std::string operand_functions(const TemplateSet& templates, const OperandSide& side) {
  const OperandPlan& operand = *side.plan;
  const plan::TileAccess copied = plan::tile_access(operand.copy_tv);
  const std::string& x = side.lower;
  const int bytes = width_bytes(operand.type);
  const auto function = [&](const std::string& verb, const std::string& comment,
                            const plan::TileAccess& access) {
    return emit(smem_function(verb + "_" + x, comment, access, operand.smem, bytes));
  };
  std::string text =
      emit(coordinate_function("copy_" + x + "_mn",
                               base::format("{} of the values that a thread copies", side.mn_lower),
                               copied, side.tile_mn, 0)) +
      emit(coordinate_function("copy_" + x + "_k", "k of the values that a thread copies", copied,
                               side.tile_mn, 1)) +
      function("store",
               base::format("where a thread puts what it copies into {}'s stage", side.upper),
               copied);
  if (const std::optional<plan::MatrixRead> read = matrix_read_of(side))
    return text +
           function("read", base::format("the row of {} that a lane points at", side.upper),
                    read->rows) +
           ldmatrix_function(templates, side, *read);
  return text + function("read",
                         base::format("where a thread finds its fragments of {}", side.upper),
                         plan::tile_access(side.fragment->tv));
}

std::string operand_constants(const OperandSide& side, const GemmStep& step) {
  const OperandPlan& operand = *side.plan;
  const plan::Fragment& fragment = *side.fragment;
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
  if (const std::optional<plan::MatrixRead> read = matrix_read_of(side))
    text += named("kReads", read->reads, "matrix loads of a k-step") +
            named("kReadRegisters", read->registers, "registers that one of them fills");
  else
    text += named("kReads", fragment.values * fragment.repeats / operand.smem_read_elems,
                  "reads of a k-step") +
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
