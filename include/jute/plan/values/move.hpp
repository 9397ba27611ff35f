#pragma once
// An operand's way into the workspace ahead of a product, as it is or as another number.
#include <jute/base/export.hpp>
#include <jute/epilogue/expression.hpp>
#include <jute/plan/ask/problem.hpp>
#include <jute/plan/ask/view.hpp>
#include <jute/plan/values/count.hpp>

#include <optional>
#include <string>
#include <vector>

namespace JUTE_API jute {

/// The numbers of an operand's blocks, where a copy finds them: scales or zero points.
struct MoveNumbers {
  TensorRole tensor = TensorRole::scale_a;
  DType type = DType::f32;
  Index block_inner = 0, block_outer = 0;  ///< elements along the copy's rows, rows; 0: all
  Count stride_inner, stride_outer;        ///< elements from one block's number to the next
  bool operator==(const MoveNumbers&) const = default;
};

/// The conversion of elements on their way: (q - zero) * scale in f32, rounded to the copy's type.
struct MoveConversion {
  Count stride_inner, stride_outer;  ///< elements of the operand along the copy's rows, across them
  std::optional<MoveNumbers> scale{}, zero{};
  double offset = 0;  ///< in place of zero points
  bool operator==(const MoveConversion&) const = default;
};

/// The memory of an operand that threads convert in their registers, as a copy would be
/// made. Coordinates of its conversion are k along, M or N across.
struct StoredOperand {
  DType type = DType::s8;
  MoveConversion conversion;
  bool operator==(const StoredOperand&) const = default;
};
/// `s4, less 8, times scale_b of f32 a block of 1x128`
[[nodiscard]] std::string to_string(const StoredOperand& stored);

/// An output with a number a block of D, which the second step stores.
struct BlockOutput {
  TensorRole tensor = TensorRole::first_output;
  DType type = DType::f32;
  Order order = Order::row;
  bool operator==(const BlockOutput&) const = default;
};

/// The second step on the product's values, once their largest magnitudes are known.
struct BlockScaling {
  EpilogueExpression expression;       ///< of acc, what the copy holds, and amax of its block
  std::vector<BlockOutput> outputs{};  ///< the expression's, d among them
  std::string region;                  ///< of the workspace: where the largest magnitudes are
  Count lines;                         ///< of a matrix: rows of D, or 1
  bool operator==(const BlockScaling&) const = default;
};

/// One operand's way into the workspace, and D's out of it where that has a View. There every row
/// starts at a whole line of 128 bytes. A row is what is contiguous in memory: of the copy, if it
/// is transposed, what was not; of a View the columns of its coordinates, transposed the rows.
struct Move {
  TensorRole tensor = TensorRole::a;
  DType type = DType::f32;
  DType copy_type = DType::f32;  ///< another than the operand's where that is split or converted
  int terms = 1;                 ///< whose sum an element is; each is a matrix of the copy
  std::string region;            ///< of the workspace: where the copy lies
  bool transposed = false;       ///< rows of the copy run along the operand's other dimension
  Count inner, outer;            ///< of the copy: elements of a row, rows of a matrix
  Count matrices;                ///< of the operand; 1 for a broadcast one
  Count ld, batch_stride;        ///< of the copy, in elements
  int access_bytes = 1;          ///< what divides the start of every row that is read
  Count segments;  ///< of a row, each a warp's; 0 of transposed ones, which go tile by tile
  Count blocks;
  std::optional<View> view{};  ///< where its elements lie in place of rows; a thread moves 16 bytes
  std::optional<MoveConversion> conversion{};  ///< a thread leaves 16 bytes
  std::optional<BlockScaling> scaling{};       ///< of D; a thread leaves `access_bytes`
  /// Where the device's list has the operand of each group: what addresses, and bytes from one row
  /// to the next, are multiples of; else 0. `inner` and `outer` are bounds of the groups' own.
  int own_alignment = 0;
  bool operator==(const Move&) const = default;
};

/// Do threads find each element for itself: by a View, or because it becomes another number?
[[nodiscard]] inline bool goes_by_elements(const Move& move) {
  return move.view || move.conversion || move.scaling;
}

}  // namespace jute
