#pragma once
// What one TMA instruction moves.
#include <jute/atom/atom.hpp>
#include <jute/draw/picture.hpp>

namespace jute::draw {

/// The box in the tensor, row by row, and where shared memory keeps it: units of 16 bytes, coloured
/// by the banks that hold them.
///   throws  not_divisible: rows that are no multiple of 16 bytes; out_of_range
[[nodiscard]] Picture box_picture(const CopyAtom& atom, const TmaBox& box);

}  // namespace jute::draw
