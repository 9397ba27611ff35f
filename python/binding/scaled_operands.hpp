#pragma once
// Operands that count as (q - zero) * scale: elements of 4 bits, numbers of blocks.
#include <string>

#include "packed.hpp"

namespace jute::python {

/// Its bytes, which are what runs move, and its elements.
struct Read {
  Array bytes, elements;
};
///   throws  wrong_arity, unsupported: halves of bytes that do not lie along K, or of no type
[[nodiscard]] Read read(const Side& side, nb::handle object, int most_axes);
/// Both of a call's.
[[nodiscard]] std::pair<Read, Read> read_scaled(const Operands& operands);
/// The last byte of an odd K has one element.
void cut_halves(const Side& side, Array& array, Index k_of_other);

/// Elements of one block along a dimension with so many numbers.
///   throws  not_compatible
[[nodiscard]] Index block_along(const char* name, const char* dimension, Index extent, Index count,
                                Index asked);
/// throws  unsupported: blocks of no numbers
void check_block(const Side& side);
/// Both operands' numbers for a problem whose extents are there; `bound` gets their
/// arrays.   throws  not_compatible, wrong_arity: there is not one for each block
void add_scales(Bound& bound, const Operands& operands, int rank_of_a, int rank_of_b);
/// A result's type when nobody says: the wider operand's; f32 of narrow ones, s32 of integers that
/// are multiplied as such.
[[nodiscard]] DType usual_result(const Problem& problem);

}  // namespace jute::python
