#pragma once
// A contraction of many arrays as a chain of products of two.
#include <jute/base/export.hpp>
#include <jute/plan/ask/problem.hpp>
#include <jute/plan/notation/contraction_modes.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace JUTE_API jute {

/// One product of the chain.
struct ContractionStep {
  /// Two operands of the text, or one where the text has no more. What stands behind the last
  /// counts earlier steps: of three operands, 3 is the first step's result.
  std::vector<std::size_t> operands{};
  Subscripts subscripts{};
  /// The result's, which lies packed in C order of its letters: those of both operands first, then
  /// the first one's, then the second one's; the last step's as the text says.
  std::vector<Index> extents{};
  bool operator==(const ContractionStep&) const = default;
};

/// The pairs whose products cost least, of all orders that there are: multiply-adds, and the
/// elements that each product reads and writes. A letter is summed in the first product that has
/// all arrays in which it stands.
///   throws  as contraction_modes does of extents
[[nodiscard]] std::vector<ContractionStep> contraction_order(
    const Subscripts& subscripts, std::span<const StridedArray> operands);

/// The type of what lies between two products of a chain: that of the first one's sums, which the
/// next one takes as they are.
///   throws  unsupported: no product takes it, as s32 of s8 and u8
[[nodiscard]] DType type_between(const Problem& product);

}  // namespace jute
