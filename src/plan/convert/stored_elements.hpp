#pragma once
// Elements that become another type in registers: how many come together, what that takes of a
// thread.
#include <jute/plan/convert/conversion_way.hpp>

#include "plan/chip/line.hpp"
#include "plan/values/kernel_operand.hpp"

namespace jute::plan {

/// The cost of giving an operand's elements another type in a thread's registers.
struct StoredElements {
  int bits = 0;             ///< of an element in memory; 0: nothing does
  double instructions = 0;  ///< of a thread for a k-tile, or a turn
};

/// Neighbours that a thread loads at once where rows begin at whole chunks: 16 bytes, or as many of
/// stored elements as share a scale and a row.
[[nodiscard]] inline int chunk_of(const KernelMatrix& matrix) {
  return matrix.stored ? elements_in(matrix.access_bytes, matrix.type)
                       : elements_of_chunk(matrix.type);
}

/// Registers of a thread for so many elements: of stored ones, and of a part of what they become.
[[nodiscard]] inline Index held_words(const std::optional<StoredOperand>& stored, DType type,
                                      Index elements) {
  constexpr Index kWordBits = 32, kShare = 4;
  const Index words = (elements * width_bits(type) + kWordBits - 1) / kWordBits;
  if (!stored) return words;
  return (elements * width_bits(stored->type) + kWordBits - 1) / kWordBits + words / kShare;
}

/// The cost of so many elements of a thread. Chips that lack an instruction take more.
[[nodiscard]] inline StoredElements stored_elements(const std::optional<StoredOperand>& stored,
                                                    DType type, Index elements) {
  constexpr Arch kHasAll{89};
  if (!stored) return {};
  return {width_bits(stored->type),
          conversion_way(*stored, type, kHasAll).instructions * static_cast<double>(elements)};
}

}  // namespace jute::plan
