// Writes each width's instruction and the loop over K around it.
#include "codegen/by_width.hpp"

#include <jute/emit/instruction.hpp>
#include <jute/emit/piece.hpp>
#include <jute/plan/values/shares.hpp>

#include "base/format.hpp"

namespace jute::codegen {
namespace {

std::string name_of(const MmaAtom& atom) { return base::format("mma_{}", atom.shape.n); }

}  // namespace

std::string instructions_by_width(std::span<const MmaAtom> atoms, const TemplateSet& templates) {
  std::string text;
  if (atoms.size() == 1) return instruction_function(atoms.front(), {}, templates).text;
  for (const MmaAtom& atom : atoms)
    text += instruction_function(atom, {.name = name_of(atom)}, templates).text;
  return text;
}

std::string products_by_width(std::span<const MmaAtom> atoms, const AroundProducts& around,
                              const TemplateSet& templates) {
  std::string cases;
  for (const MmaAtom& atom : atoms) {
    const std::string issue = Piece(templates, "specialised/products.cu (issue)")
                                  .fill("sums", "acc")
                                  .fill("adds", "k_tile > 0")
                                  .fill("mma", name_of(atom))
                                  .text();
    const std::string loop = Piece(templates, "specialised/products.cu")
                                 .fill("issue", issue)
                                 .fill("registers", "kWidthRegisters")
                                 .fill("meanwhile", around.meanwhile)
                                 .fill("if_any", around.if_any)
                                 .fill("none", around.none)
                                 .text();
    cases += base::format("case {}:\n", atom.shape.n) +
             Piece(templates, "specialised/products.cu (of a width)")
                 .fill("width", atom.shape.n)
                 .fill("registers", registers(atom, Operand::c))
                 .fill("multiply", loop)
                 .text() +
             "break;\n";
  }
  return Piece(templates, "specialised/products.cu (widths)").fill("cases", cases).text();
}

std::string reduction_of_slices(Slices split_k, Columns columns, const TemplateSet& templates) {
  const bool are_launched = split_k == Slices::launched;
  const char* const count = are_launched ? "split_k" : "kSplitK";
  const auto piece = [&](const char* name) {
    return Piece(templates, base::format("specialised/slices.cu ({})", name));
  };
  const auto some = [&](const char* at_once, const char* parts, const char* used) {
    return piece("add some")
        .fill("at_once", at_once)
        .fill("count", parts)
        .fill("used", used)
        .text();
  };
  if (columns == Columns::all) {
    const std::string add =
        are_launched ? piece("add all").fill("some", some("kAtOnce", "kSomeParts", "kParts")).text()
                     : piece("add").fill("split_k", count).text();
    return piece("meet").fill("split_k", count).fill("skip", "").fill("add", add).text();
  }
  const std::string add = piece("add columns")
                              .fill("few", some("16", "kFewParts", "used_parts"))
                              .fill("many", some("16", "kManyParts", "used_parts"))
                              .text();
  return piece("columns").text() +
         piece("meet")
             .fill("split_k", count)
             .fill("skip", Piece(templates, "specialised/slices.cu (skip)").text())
             .fill("add", add)
             .text();
}

// Beside 128 floats of its own a thread finds no registers for all of a slice's.
std::string reduction_of_block(const GemmStep& step, const TemplateSet& templates) {
  constexpr int kMostAtOnce = 16;
  const Index sums = size(step.epilogue.order);
  if (sums <= kMostAtOnce * sums_in_an_access(step, sums))
    return reduction_of_slices(Slices::planned, Columns::all, templates);
  const std::string add = Piece(templates, "specialised/slices.cu (add in turns)")
                              .fill("at_once", kMostAtOnce)
                              .fill("split_k", "kSplitK")
                              .text();
  return Piece(templates, "specialised/slices.cu (meet)")
      .fill("split_k", "kSplitK")
      .fill("skip", "")
      .fill("add", add)
      .text();
}

std::string subtile_of_width(const TemplateSet& templates) {
  return Piece(templates, "specialised/subtiles.cu (width)").text() +
         Piece(templates, "specialised/subtiles.cu (wait ahead of the last)").text();
}

std::string subtile_place(std::span<const int> widths) {
  const std::string usual = "group_subtile + turn % kSubtileCopies * kSubtileBytes";
  return widths.empty() ? usual : "is_final ? last_subtile + turn * kSubtileBytes : " + usual;
}

std::string subtile_store(const GemmStep& step, std::string_view along,
                          const TemplateSet& templates) {
  return Piece(templates, "specialised/subtiles.cu (store)")
      .fill("by_boxes",
            step.epilogue.drain->exit == SubtileExit::rows_at_edge ? "!by_rows && " : "")
      .fill("store", step.epilogue.d_boxed ? "store_box_d" : "store_box")
      .fill("inner", std::string(along))
      .fill("outer", along == "col" ? "row" : "col")
      .fill("matrix", is_always(step.epilogue.d_batch_stride, 0) ? "0" : "matrix")
      .fill("map", step.schedule.widths.empty()
                       ? "map_d"
                       : "subtile_n(turn) + kSubtileBoxOuter < kTileN ? map_d : map_d_last")
      .text();
}

}  // namespace jute::codegen
