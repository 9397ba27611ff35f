#pragma once
// One operand's way from global memory to registers, as functions and pieces.
#include <jute/emit/piece.hpp>
#include <jute/plan/derive/operand/fragment.hpp>

#include <string>

#include "codegen/letters.hpp"

namespace jute::codegen {

/// A k-tile of a block's slice as one of all of K.
[[nodiscard]] inline std::string k_tile_of_all(const GemmStep& step, const std::string& k_tile) {
  return takes_split_k(step) ? "(first_k_tile + " + k_tile + ")" : k_tile;
}

/// An operand with the letters that its templates use.
struct OperandSide {
  Operand operand;
  const OperandPlan* plan;
  const Fragment* fragment;
  std::string lower, upper;        ///< "a", "A"
  std::string mn_lower, mn_upper;  ///< "m", "M" for A; "n", "N" for B
  std::string thread;              ///< the number of one among those that copy it
  int tile_mn = 0;
  bool in_order = false;  ///< threads read what several k-steps take together, in their order
  bool k_begins_elsewhere = false;    ///< with chunks of the other operand
  const GatedHalves* gate = nullptr;  ///< of an operand of two halves
  bool has_ring = false;              ///< of stages that have it as it is stored: `has_stored_ring`
  bool whole_mn = false, whole_k = false;  ///< no tile reaches past these edges
  bool whole_vectors = false;              ///< none reaches past an edge with some of its elements
};

/// Ahead of another condition of a place (mn, along_k): its line lies inside the matrix.
[[nodiscard]] inline std::string inside_line(const OperandSide& side) {
  return side.whole_mn ? "" : "mn < " + side.lower + "_left && ";
}

[[nodiscard]] inline bool is_straight(const OperandPlan& operand) {
  return transfer_of(operand) == Transfer::straight;
}
/// Do threads load fragments in another order than they are multiplied in?
[[nodiscard]] inline bool is_sorted(const OperandPlan& operand) {
  return straight_of(operand).order != Layout();
}
/// The template with the operand's letters in it.
[[nodiscard]] inline Piece lettered(const TemplateSet& templates, const std::string& path,
                                    const OperandSide& side) {
  return lettered(templates, path, side.lower)
      .fill_if("mn", side.mn_lower)
      .fill_if("MN", side.mn_upper)
      .fill_if("thread", side.thread)
      .fill_if("in_line", inside_line(side))
      .fill_if("in_k", side.whole_k ? "" : "along_k < " + side.lower + "_end_k_left && ");
}

/// Index functions: copy_a_mn, copy_a_k, store_a, read_a.
[[nodiscard]] std::string operand_functions(const TemplateSet& templates, const OperandSide& side,
                                            const GemmStep& step);
[[nodiscard]] std::string operand_constants(const OperandSide& side, const GemmStep& step);
/// Where boxes land: in a stage, or in the L2 cache alone.
enum class BoxesTo { stage, cache };
/// All boxes of a k-tile, by one thread.
[[nodiscard]] std::string tma_piece(const TemplateSet& templates, const OperandSide& side,
                                    const GemmStep& step, BoxesTo target);
/// The term that takes rows which are left out from the bytes of a stage.
[[nodiscard]] std::string less_left_out(const OperandSide& side, const GemmStep& step);
/// From one k-tile to the next, in elements.
[[nodiscard]] std::string step_along_k(const OperandSide& side);
/// Where the thread reads; gives the source pointer.
[[nodiscard]] std::string source_piece(const TemplateSet& templates, const OperandSide& side,
                                       bool in_slice = false);
/// The ways of a tile from global memory: `load` into registers and `put` into a stage, or `load`
/// on its way into a stage.
[[nodiscard]] std::string load_piece(const TemplateSet& templates, const OperandSide& side,
                                     Arch arch);
/// Straight: whole chunks of the streamed operand are multiplied, and what is ahead of them and
/// behind one by one.
[[nodiscard]] std::string chunks_piece(const TemplateSet& templates, const OperandSide& streamed,
                                       const OperandSide& kept);
/// The first k-tile on its way to the L2 cache, dealt out to the blocks that read the same of it.
[[nodiscard]] std::string ahead_piece(const TemplateSet& templates, const OperandSide& side);
/// `feed`: fragments of a k-step from a stage.
[[nodiscard]] std::string feed_piece(const TemplateSet& templates, const OperandSide& side,
                                     const GemmStep& step);

}  // namespace jute::codegen
