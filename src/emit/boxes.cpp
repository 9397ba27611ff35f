// Writes what boxes there are, and fills the pieces of those that a launch's clusters share out.
#include <jute/emit/boxes.hpp>
#include <jute/emit/constants.hpp>
#include <jute/emit/piece.hpp>

#include "base/format.hpp"

namespace jute {
namespace {

std::string lower(Operand operand) { return operand == Operand::a ? "a" : "b"; }
std::string upper(Operand operand) { return operand == Operand::a ? "A" : "B"; }

Piece piece_of(Operand operand, const char* name, const TemplateSet& templates) {
  return Piece(templates, base::format("specialised/load_stage.cu ({})", name))
      .fill("x", lower(operand))
      .fill("X", upper(operand));
}

}  // namespace

std::string BoxCorner::text(Operand operand) const {
  return base::format("{0}_inner = {1}, {0}_outer = {2}", lower(operand), inner, outer);
}

std::string box_constants(const Layout& place, Index inner, Index outer, const std::string& stem,
                          std::string_view letter, std::string_view purpose) {
  const Index along_inner = size(place[1]), along_outer = size(place[2]);
  const auto named = [&](std::string_view what, Index value, std::string_view meaning) {
    return constant(base::format("{}{}{}", stem, what, letter), value, meaning);
  };
  return named("Boxes", along_inner * along_outer, purpose) +
         named("BoxesInner", along_inner, "of them side by side along what is contiguous") +
         named("BoxInner", inner, "contiguous elements of a box") +
         named("BoxOuter", outer, "rows of a box");
}

std::string share_constants(Operand operand, Index rows, Index row_bytes, Index stage_bytes) {
  return constant("kWholeStageBytes" + upper(operand), stage_bytes, "from one stage to the next") +
         constant("kBoxRows" + upper(operand), rows, "of a box for a block alone") +
         constant("kBoxRowBytes" + upper(operand), row_bytes, "of each");
}

std::string boxes_of_share(Operand operand, const BoxCorner& corner, Terms terms,
                           const TemplateSet& templates) {
  const bool has_terms = terms == Terms::several;
  const char* const share = operand == Operand::a ? "share of a row" : "share of a column";
  return piece_of(operand, share, templates).text() +
         piece_of(operand, "boxes of a share", templates)
             .fill("corner", corner.text(operand))
             .fill("terms",
                   has_terms ? "#pragma unroll\nfor (int term = 0; term < kTerms; ++term)" : "")
             .fill("copy", has_terms ? "(stage * kTerms + term)" : "stage")
             .fill("matrix", corner.matrix)
             .text();
}

}  // namespace jute
