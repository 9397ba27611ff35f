#pragma once
// The meaning of a contraction's letters to a product of two arrays: batch, rows, columns, sums.
#include <jute/base/export.hpp>
#include <jute/base/types.hpp>
#include <jute/plan/notation/subscripts.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace JUTE_API jute {

/// An array as its library describes it: of each axis, outermost first, the extent and the elements
/// between two neighbours. Strides left empty are packed in C order.
struct StridedArray {
  std::vector<Index> extents{}, strides_elems{};
  bool operator==(const StridedArray&) const = default;
};
/// The strides where they are left empty.
///   throws  overflow
[[nodiscard]] std::vector<Index> packed_strides(std::span<const Index> extents);

/// The role of a letter in D(M,N) = A(M,K)·B(K,N).
enum class LetterRole : std::uint8_t {
  m,      ///< of A and the result
  n,      ///< of B and the result
  k,      ///< of no result: what is summed, over both operands or over one alone
  batch,  ///< of A, B and the result
};
[[nodiscard]] std::string_view name(LetterRole role);  ///< M, N, K, batch

/// Letters of one role that lie as one in each array that has them, outermost first. A stride
/// counts elements; it is 0 in an array that has none of them.
struct ContractionMode {
  std::string letters;
  LetterRole role = LetterRole::m;
  Index extent = 1;
  Index stride_a = 0, stride_b = 0, stride_d = 0;
  bool operator==(const ContractionMode&) const = default;
};

struct ContractionModes {
  /// Which operand of the text is the product's A, which its B. One behind the last is an array of
  /// a single 1, with which a lone operand is multiplied.
  std::size_t a = 0, b = 1;
  /// By roles, within one the fastest first: by the result's strides, those of K by the operands'.
  /// Letters of extent 1 are in none.
  std::vector<ContractionMode> modes{};
  bool operator==(const ContractionModes&) const = default;

  /// The modes of one role.
  [[nodiscard]] std::vector<ContractionMode> of(LetterRole role) const;
  /// Their coordinates: M, N, K or the batch.   throws  overflow
  [[nodiscard]] Index extent(LetterRole role) const;
};

/// Classifies the letters of one or two operands. A letter that an operand repeats is its diagonal.
/// Columns are the side whose letters lie nearest in the result: where that is the first operand's,
/// it becomes B. A side of several modes gives all but one to the batch, which the other operand
/// repeats, where the one that stays fills tiles: that is a batch of plain matrices.
///   result  strides of the result's letters; its extents are the operands'
///   throws  wrong_arity: other than one or two operands, an array with other axes than letters;
///           not_compatible: a letter with two extents; out_of_range: a negative extent or stride;
///           not_injective: two elements of the result at one place
[[nodiscard]] ContractionModes contraction_modes(const Subscripts& subscripts,
                                                 std::span<const StridedArray> operands,
                                                 std::span<const Index> result_strides_elems = {});

/// Extents of the result's letters.
///   throws  as contraction_modes does of extents
[[nodiscard]] std::vector<Index> result_extents(const Subscripts& subscripts,
                                                std::span<const StridedArray> operands);

}  // namespace jute
