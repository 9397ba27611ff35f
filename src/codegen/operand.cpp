// Fills the copy and fragment templates for A and B.
#include "codegen/operand.hpp"

#include <fmt/format.h>

#include "codegen/index_function.hpp"

namespace jute::codegen {
namespace {

std::string filled(const TemplateSet& templates, const std::string& path, const OperandSide& side) {
  Piece piece(templates, path);
  piece.fill("x", side.lower).fill("X", side.upper);
  if (templates.text(path).find("${mn}") != std::string::npos) piece.fill("mn", side.mn_lower);
  if (templates.text(path).find("${MN}") != std::string::npos) piece.fill("MN", side.mn_upper);
  return piece.text();
}

std::string by_major(const OperandSide& side, const std::string& stem) {
  return stem + (side.plan->major == Major::k ? "_k_major.cu" : "_mn_major.cu");
}

}  // namespace

std::string operand_functions(const OperandSide& side) {
  const OperandPlan& operand = *side.plan;
  const plan::TileAccess copied = plan::tile_access(operand.copy_tv);
  const std::string& x = side.lower;
  const int bytes = width_bytes(operand.type);
  const auto function = [&](const std::string& verb, const std::string& comment,
                            const plan::TileAccess& access) {
    return emit(smem_function(verb + "_" + x, comment, access, operand.smem, bytes));
  };
  return emit(coordinate_function(
             "copy_" + x + "_mn",
             fmt::format("{} of the values that a thread copies", side.mn_lower), copied,
             side.tile_mn, 0)) +
         emit(coordinate_function("copy_" + x + "_k", "k of the values that a thread copies",
                                  copied, side.tile_mn, 1)) +
         function("store",
                  fmt::format("where a thread puts what it copied into {}'s stage", side.upper),
                  copied) +
         function("read", fmt::format("where a thread finds its fragments of {}", side.upper),
                  plan::tile_access(side.fragment->tv));
}

std::string operand_constants(const OperandSide& side) {
  const OperandPlan& operand = *side.plan;
  const plan::Fragment& fragment = *side.fragment;
  const Index copied = size(operand.copy_tv[1]);
  std::string text;
  const auto constant = [&](std::string_view name, Index value) {
    text += fmt::format("constexpr int {}{} = {};\n", name, side.upper, value);
  };
  constant("kStageBytes", operand.stage_stride_elems * width_bytes(operand.type));
  constant("kCopyElems", operand.vector_elems);
  constant("kCopies", copied / operand.vector_elems);
  constant("kStoreElems", operand.smem_store_elems);
  constant("kReadElems", operand.smem_read_elems);
  constant("kValues", fragment.values);
  constant("kFragment", fragment.values * fragment.repeats);
  return text + fmt::format("typedef Vector<Elem{0}, kCopyElems{0}> Vector{0};\n", side.upper);
}

std::string source_piece(const TemplateSet& templates, const OperandSide& side) {
  return filled(templates, by_major(side, "copy/operand"), side);
}

std::string load_piece(const TemplateSet& templates, const OperandSide& side) {
  return filled(templates, by_major(side, "copy/load"), side);
}

std::string store_piece(const TemplateSet& templates, const OperandSide& side) {
  return filled(templates, "copy/store_tile.cu", side);
}

std::string read_piece(const TemplateSet& templates, const OperandSide& side) {
  return filled(templates, "fragment/vector_read.cu", side);
}

}  // namespace jute::codegen
