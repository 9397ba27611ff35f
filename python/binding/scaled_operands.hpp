#pragma once
// Operands that count as (q - zero) * scale: elements of 4 bits, numbers of blocks.
#include <string>

#include "grouped.hpp"
#include "packed.hpp"

namespace jute::python {

/// What a call says of one operand.
struct Side {
  const char *name, *scale_name, *zero_name;
  TensorRole tensor;
  nb::handle array;
  nb::object scale, zero;
  std::string block;
  nb::object type;
  int rank = 2;                    ///< of the array
  const Packed* packed = nullptr;  ///< in place of array, scale and zero
};

/// Of a (…,M,K) or b (…,K,N).
[[nodiscard]] std::size_t k_axis(const Side& side, const Array& array);

/// Its bytes, which are what runs move, and its elements.
struct Read {
  Array bytes, elements;
};
///   throws  wrong_arity, unsupported: halves of bytes that do not lie along K, or of no type
[[nodiscard]] Read read(const Side& side, int most_axes);
/// The last byte of an odd K has one element.
void cut_halves(const Side& side, Array& array, Index k_of_other);

/// Elements of one block along a dimension with so many numbers.
///   throws  not_compatible
[[nodiscard]] Index block_along(const char* name, const char* dimension, Index extent, Index count,
                                Index asked);
/// throws  unsupported: blocks of no numbers
void check_block(const Side& side);
/// What the problem knows of an operand's numbers, whose arrays `bound` gets.
[[nodiscard]] OperandScale scale_of(Bound& bound, const Side& side, Index mn);
/// Of a result that nobody says: the wider operand's type; f32 of narrow ones, s32 of integers that
/// are multiplied as such.
[[nodiscard]] DType usual_result(const Problem& problem);

/// The list of a call, and how large a usual group is.
struct GroupWords {
  Lists lists;
  Index expected = 0;
  [[nodiscard]] bool are_said() const {
    return !lists.offs.is_none() || !lists.counts.is_none() || !lists.row_groups.is_none();
  }
};
/// Binds a call; the type of a result that nobody says becomes the wish's.
[[nodiscard]] Bound bind_scaled(Wish& wish, const Operands& operands, Side& of_a, Side& of_b,
                                const nb::object& stage_as, const GroupWords& words);

}  // namespace jute::python
