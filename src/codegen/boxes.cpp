// Writes what boxes there are, and fills the pieces of those that a launch's clusters share out.
#include "codegen/boxes.hpp"

#include <jute/emit/constants.hpp>

#include "base/format.hpp"
#include "codegen/letters.hpp"

namespace jute::codegen {
namespace {

std::string lower(Operand operand) { return operand == Operand::a ? "a" : "b"; }
std::string upper(Operand operand) { return capital(lower(operand)); }

Piece piece_of(Operand operand, const char* name, const TemplateSet& templates) {
  return lettered(templates, base::format("specialised/load_stage.cu ({})", name), lower(operand));
}

}  // namespace

void fill_terms(Piece& piece, Terms terms) {
  const bool is_one = terms == Terms::one;
  piece.fill("terms", is_one ? "" : "#pragma unroll\nfor (int term = 0; term < kTerms; ++term)")
      .fill_if("copy", is_one ? "stage" : "(stage * kTerms + term)");
}

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

SharedBoxes shared_boxes(Operand operand, int parts, Index elems_of_part, int cluster_m,
                         int cluster_n) {
  const bool is_a = operand == Operand::a;
  const std::string part = is_a ? "rank / kClusterM" : "rank % kClusterM";
  unsigned row = 0;
  for (int n = 0; n < cluster_n; ++n) row |= 1U << (n * cluster_m);
  return {base::format(" + {} * {}", part, elems_of_part),
          base::format("{} + {} * box", part, parts),
          is_a ? base::format("{:#x}u << rank % kClusterM", row)
               : base::format("{:#x}u << rank / kClusterM * kClusterM", (1U << cluster_m) - 1)};
}

std::string share_constants(Operand operand, Index rows, Index row_bytes, Index stage_bytes) {
  return constant("kWholeStageBytes" + upper(operand), stage_bytes, "from one stage to the next") +
         constant("kBoxRows" + upper(operand), rows, "of a box for a block alone") +
         constant("kBoxRowBytes" + upper(operand), row_bytes, "of each");
}

std::string boxes_of_share(Operand operand, const BoxCorner& corner, Terms terms,
                           const std::string& map, const TemplateSet& templates) {
  const char* const share = operand == Operand::a ? "share of a row" : "share of a column";
  Piece boxes = piece_of(operand, "boxes of a share", templates);
  fill_terms(boxes, terms);
  return piece_of(operand, share, templates).text() + boxes.fill("corner", corner.text(operand))
                                                          .fill("map", map)
                                                          .fill("matrix", corner.matrix)
                                                          .text();
}

std::string boxes_ahead(Operand operand, const BoxCorner& corner, Terms terms,
                        const std::string& of_view, const TemplateSet& templates) {
  Piece boxes = piece_of(operand, "ahead", templates);
  fill_terms(boxes, terms);
  return boxes.fill("prefetch", "prefetch_box" + of_view)
      .fill("corner", corner.text(operand))
      .fill("matrix", corner.matrix)
      .text();
}

std::string subtile_constants(const SubtileDrain& drain, DType type) {
  const Index width = width_bytes(type), stores = size(drain.write.value);
  const Index registers = size(drain.store_atom.src_layout[1]) / (16 * width);
  const Index rows = size(drain.subtile.layout()[0]), columns = size(drain.subtile.layout()[1]);
  return constant("kSubtileTurns", drain.turns, "subtiles that a group drains of a tile") +
         constant("kSubtileCopies", drain.copies, "of a group's subtile") +
         constant("kSubtileBytes", drain.stride_elems * width, "from one copy to the next") +
         constant("kStoreRegisters", registers, "registers that a matrix store takes") +
         constant("kSubtileStores", stores, "matrix stores of a warp for a subtile") +
         constant("kSubtileElems", 2 * registers * stores, "of a subtile, a thread's") +
         (drain.by_ring > 0
              ? constant("kRingTurns", drain.by_ring, "of them whose C comes behind the k-tiles") +
                    constant("kRingGroups", drain.groups, "that have subtiles of a tile")
              : "") +
         (drain.exit != SubtileExit::boxes
              ? constant("kSubtileRows", rows, "rows of a subtile") +
                    constant("kSubtileColumns", columns, "columns of a subtile")
              : "") +
         (drain.boxes ? box_constants(drain.boxes->place, drain.boxes->inner, drain.boxes->outer,
                                      "kSubtile", "", "boxes that a subtile is stored as")
                      : "");
}

}  // namespace jute::codegen
