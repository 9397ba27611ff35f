#pragma once
// Coordinates, indices and arithmetic on nested integers.
#include <jute/base/export.hpp>
#include <jute/layout/layout.hpp>

namespace JUTE_API jute {

/// Offset of a coordinate. With strides on unit vectors the result is a coordinate tuple.
///   throws  not_congruent: the coordinate is not weakly congruent with the shape
[[nodiscard]] IntTuple crd2idx(const IntTuple& coordinate, const Layout& layout);
/// Index of a coordinate in a shape, first mode fastest.
[[nodiscard]] Index crd2idx(const IntTuple& coordinate, const IntTuple& shape);
/// Coordinate of an index in a shape, first mode fastest.   example  idx2crd(39, "(8,12)") ==
/// "(7,4)"
[[nodiscard]] IntTuple idx2crd(const IntTuple& index, const IntTuple& shape);
/// (index / stride) % shape for each mode; exact for compact layouts. A number as the stride of a
/// tuple is where its compact strides begin.   example  idx2crd(27, "(8,(4,4))", "(1,8)") ==
/// "(3,(3,0))"
[[nodiscard]] IntTuple idx2crd(const IntTuple& index, const IntTuple& shape,
                               const IntTuple& stride);
[[nodiscard]] IntTuple crd2crd(const IntTuple& coordinate, const IntTuple& source,
                               const IntTuple& target);
/// Coordinates of an offset that the layout produces.
[[nodiscard]] IntTuple get_hier_coord(const Layout& layout, Index offset);
[[nodiscard]] IntTuple get_flat_coord(const Layout& layout, Index offset);
[[nodiscard]] Index get_1d_coord(const Layout& layout, Index offset);
/// Largest coordinate + 1, by mode for strides on unit vectors.
[[nodiscard]] IntTuple coshape(const Layout& layout);

/// Strides of a compact layout; extents of 1 get stride 0.   example  ("(8,64)", right) -> "(64,1)"
enum class CompactOrder : std::uint8_t { left, right };
[[nodiscard]] IntTuple compact_major(const IntTuple& shape, CompactOrder order,
                                     const IntTuple& start = 1);
/// Strides of a compact layout whose modes are ordered by the integers of `order`, least first.
[[nodiscard]] IntTuple compact_order(const IntTuple& shape, const IntTuple& order);
[[nodiscard]] Layout make_layout(const IntTuple& shape, CompactOrder order);
[[nodiscard]] Layout make_ordered_layout(const IntTuple& shape, const IntTuple& order);
/// Compact, with the order of strides of `layout`; broadcast modes stay broadcast.
[[nodiscard]] Layout make_layout_like(const Layout& layout);
/// A register layout: mode 0 compact first, the others in the order of their strides.
[[nodiscard]] Layout make_fragment_like(const Layout& layout);
/// Maps each coordinate to itself.   example  "(2,3)" -> "(2,3):(1@0,1@1)"
[[nodiscard]] Layout make_identity_layout(const IntTuple& shape);

/// Divides so that the result times b covers a; for a tuple and an integer from the left.
///   throws  not_divisible (shape_div): neither divides the other
[[nodiscard]] IntTuple shape_div(const IntTuple& a, const IntTuple& b);
[[nodiscard]] IntTuple ceil_div(const IntTuple& a, const IntTuple& b);
[[nodiscard]] IntTuple product_each(const IntTuple& shape);
[[nodiscard]] Index inner_product(const IntTuple& a, const IntTuple& b);
[[nodiscard]] bool congruent(const IntTuple& a, const IntTuple& b);
[[nodiscard]] bool weakly_congruent(const IntTuple& a, const IntTuple& b);
/// Can every coordinate of a also be used for b, and are they of one size?
[[nodiscard]] bool compatible(const IntTuple& a, const IntTuple& b);
[[nodiscard]] bool elem_less(const IntTuple& a, const IntTuple& b);

}  // namespace jute
