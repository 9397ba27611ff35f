#pragma once
// The letters of a contraction with what arrays say of them: an extent, a stride in each array.
#include <jute/plan/notation/contraction_modes.hpp>

#include <vector>

namespace jute::plan {

/// Ellipses as the axes that these arrays have.
///   throws  what with_ranks throws
[[nodiscard]] Subscripts with_ranks_of(const Subscripts& subscripts,
                                       std::span<const StridedArray> operands);

/// A letter whose extent is not 1. Strides are summed where an array repeats it; of an array that
/// has it not, or repeats its elements along it, 0.
struct LetterAxis {
  char letter = 0;
  Index extent = 1;
  bool is_in_result = false;
  /// By operands. An axis of an ellipsis that is 1 long stands in none.
  std::vector<bool> is_in{};
  std::vector<Index> strides{};
  Index result_stride = 0;
};

/// In the order in which they first stand in the text. Checks extents and strides.
///   needs   subscripts with these ranks, here and below
///   throws  as contraction_modes does
[[nodiscard]] std::vector<LetterAxis> letter_axes(const Subscripts& subscripts,
                                                  std::span<const StridedArray> operands,
                                                  std::span<const Index> result_strides_elems);

/// The extent of each letter of the text, those of 1 among them.
struct LetterExtent {
  char letter = 0;
  Index extent = 1;
};
///   throws  as contraction_modes does
[[nodiscard]] std::vector<LetterExtent> letter_extents(const Subscripts& subscripts,
                                                       std::span<const StridedArray> operands);

}  // namespace jute::plan
