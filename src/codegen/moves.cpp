// A function for each operand's way, and which blocks call it.
#include "codegen/moves.hpp"

#include <jute/emit/constants.hpp>
#include <jute/emit/copy_functions.hpp>

#include <set>

#include "base/format.hpp"
#include "codegen/parameters.hpp"

namespace jute::codegen {
namespace {

constexpr int kChunkBytes = 16, kChunksOfLane = 8;

/// A piece of `move/` for one operand.
Piece own(const TemplateSet& set, const char* path, const auto& move) {
  Piece piece(set, path);
  const bool is_a = move.tensor == TensorRole::a;
  if (piece.has_hole("x")) piece.fill("x", is_a ? "a" : "b");
  if (piece.has_hole("X")) piece.fill("X", is_a ? "A" : "B");
  return piece;
}

std::string transposing_text(const TemplateSet& set, const Move& move) {
  const bool is_aligned = move.access_bytes == kChunkBytes;
  Piece piece = own(set, "move/transposed.cu", move);
  // Around 16 bytes that begin anywhere lie two chunks.
  piece.fill("whole", is_aligned ? "outer + kElems <= it.outer"
                                 : "outer >= kElems && outer + 2 * kElems <= it.outer");
  return own(set,
             is_aligned ? "move/transposed.cu (aligned chunk)"
                        : "move/transposed.cu (shifted chunk)",
             move)
             .text() +
         own(set, "move/transposed.cu (edge)", move).text() +
         own(set,
             width_bytes(move.type) == 1 ? "move/transposed.cu (bytes)"
                                         : "move/transposed.cu (words)",
             move)
             .text() +
         piece.text();
}

/// How what is read lands in the copy.
std::string store_text(const TemplateSet& set, const Move& move) {
  if (move.terms == 1) return own(set, "move/operand.cu (stores)", move).text();
  const int dropped = precision_bits(DType::f32) - precision_bits(move.copy_type);
  return own(set, "move/operand.cu (terms)", move)
      .fill("terms", move.terms)
      .fill("dropped", dropped)
      .text();
}

std::string way_text(const TemplateSet& set, const Move& move) {
  const char letter = move.tensor == TensorRole::a ? 'A' : 'B';
  const std::string text =
      base::format("typedef Move<Elem{0}, Part{0}> Move{0};\n", letter) + store_text(set, move);
  if (move.transposed) return text + transposing_text(set, move);
  return text + own(set, "move/rows.cu", move).fill("chunks", kChunksOfLane).text();
}

/// What forms sums of operands.
std::string sums_text(const TemplateSet& set, const MoveStep& step) {
  std::set<DType> types;
  for (const OperandSum& sum : step.sums) types.insert(sum.type);
  std::string text =
      Piece(set, "epilogue/gather.cu").text() + "\n" + Piece(set, "move/sums.cu").text();
  for (const DType type : types) text += "\n" + element_type(set, type, step.arch);
  for (const OperandSum& sum : step.sums) {
    const char letter = sum.tensor == TensorRole::a ? 'A' : 'B';
    text += base::format("\ntypedef {} Elem{};\ntypedef {} Sum{};\n", name(sum.type), letter,
                         compute_type(sum.sum), letter) +
            own(set, sum.major == Major::k ? "move/sums.cu (along)" : "move/sums.cu (across)", sum)
                .fill("elems", sum.vector_elems)
                .fill("number", "to_compute")
                .text();
  }
  return text;
}

}  // namespace

Piece move_piece(const MoveStep& step, const TemplateSet& templates) {
  const bool overlaps = step.order == LaunchOrder::overlap_previous;
  std::string words, turns;
  for (const Move& move : step.moves) {
    words += base::format("typedef {0} Elem{2};\ntypedef {1} Part{2};\n",
                          word_type(width_bytes(move.type)), word_type(width_bytes(move.copy_type)),
                          move.tensor == TensorRole::a ? 'A' : 'B');
    turns +=
        own(templates,
            move.terms > 1 ? "move/operand.cu (turn of terms)" : "move/operand.cu (turn)", move)
            .text();
  }
  words +=
      constant("kThreads", step.threads, "threads of a block") + "\n" +
      Piece(templates, "prelude/vector_access.cu").text() + "\n" +
      (overlaps ? Piece(templates, "prelude/dependent_launch.cu").text() + "\n" : "") +
      (step.sums.empty() ? Piece(templates, "move/operand.cu").text() : sums_text(templates, step));
  for (const Move& move : step.moves) words += "\n" + way_text(templates, move);
  for (const OperandSum& sum : step.sums)
    turns += own(templates, "move/sums.cu (turn)", sum).text();
  Piece piece(templates, "kernel/move.cu");
  piece.fill("words", std::move(words))
      .fill("begin", overlaps ? Piece(templates, "move/operand.cu (begin)").text() : "")
      .fill("moves", std::move(turns));
  return piece;
}

}  // namespace jute::codegen
