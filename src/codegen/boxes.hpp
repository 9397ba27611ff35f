#pragma once
// Boxes that TMA moves, and those of a k-tile whose rows the blocks of a cluster share out, as many
// as a launch says: of A those of a row of the cluster, of B those of a column.
#include <jute/atom/atom.hpp>
#include <jute/emit/template_set.hpp>
#include <jute/plan/values/plan.hpp>

#include <cstdint>
#include <jute/emit/piece.hpp>

#include <string>
#include <string_view>

namespace jute::codegen {

/// `kBoxesA`, or `kSubtileBoxes`, and the like: of boxes of (inner, outer) elements, at (part,
/// along inner, along outer).
[[nodiscard]] std::string box_constants(const Layout& place, Index inner, Index outer,
                                        const std::string& stem, std::string_view letter,
                                        std::string_view purpose);

/// Where a block's part of a k-tile begins: along what is contiguous, along its rows, and the
/// matrix of the batch.
struct BoxCorner {
  std::string inner, outer, matrix;
  /// `a_inner = 0, a_outer = 0`
  [[nodiscard]] std::string text(Operand operand) const;
};

/// How a block of a cluster asks for its part of an operand's boxes: A is shared by the blocks of a
/// row of the cluster, B by those of a column.
struct SharedBoxes {
  std::string offset;  ///< from the whole's corner, along what is cut into parts of so many
  std::string place;   ///< of its boxes among those of all
  std::string blocks;  ///< who gets them, a bit for each
};
[[nodiscard]] SharedBoxes shared_boxes(Operand operand, int parts, Index elems_of_part,
                                       int cluster_m, int cluster_n);

/// `kBoxRowsA`, what a block alone would ask for at once, `kBoxRowBytesA`, and what all terms of a
/// stage take.
[[nodiscard]] std::string share_constants(Operand operand, Index rows, Index row_bytes,
                                          Index stage_bytes);
/// Which rows are a block's, for whom it asks for them, and those rows of each box, of every term
/// where there are several.
enum class Terms : std::uint8_t { one, several };
/// A loop over all terms, and which copy of a stage a term's boxes lie in.
void fill_terms(Piece& piece, Terms terms);
[[nodiscard]] std::string boxes_of_share(Operand operand, const BoxCorner& corner, Terms terms,
                                         const std::string& map, const TemplateSet& templates);
/// The boxes of a k-tile, for the L2 cache alone, by a block that shares none; `of_view` ends the
/// name of the function that knows a View.
[[nodiscard]] std::string boxes_ahead(Operand operand, const BoxCorner& corner, Terms terms,
                                      const std::string& of_view, const TemplateSet& templates);

/// Literals of a drain by subtiles, which hold elements of such a type.
[[nodiscard]] std::string subtile_constants(const SubtileDrain& drain, DType type);

}  // namespace jute::codegen
