#pragma once
// The layout algebra: composition, complement, inverses, division, product.
// Source of every operation: Cecka, CuTe Layout Representation and Algebra, arXiv:2603.02298, and
// the behaviour of CuTe C++ with static integers.
#include <jute/base/export.hpp>
#include <jute/layout/swizzle.hpp>
#include <jute/layout/tiler.hpp>

#include <optional>

namespace JUTE_API jute {

/// The same function on one-dimensional coordinates with as few modes as possible; extents of 1 go.
///   example  coalesce("(2,1,6):(1,7,2)") == "12:1"
[[nodiscard]] Layout coalesce(const Layout& layout);
/// Coalesces each mode that the profile names by itself; further modes stay as they are.
///   example  coalesce("(2,(1,6)):(1,(6,2))", "(1,1)") == "(2,6):(1,2)"
///   throws   not_congruent: the profile has more modes than the layout
[[nodiscard]] Layout coalesce(const Layout& layout, const IntTuple& profile);

/// Modes of stride 0 get extent 1.   example  filter_zeros("(4,8):(1,0)") == "(4,1):(1,0)"
[[nodiscard]] Layout filter_zeros(const Layout& layout);
/// coalesce(filter_zeros(layout)): the modes that matter for the set of offsets.
[[nodiscard]] Layout filter(const Layout& layout);
/// Filters each mode that the profile names by itself; further modes stay as they are.
///   example  filter("((2,4),4):((1,0),0)", "(1)") == "(2,4):(1,0)"
///   throws   not_congruent: the profile has more modes than the layout
[[nodiscard]] Layout filter(const Layout& layout, const IntTuple& profile);

/// The layout i -> lhs(rhs(i)).
///   shapes   shape(rhs) is compatible with shape(result): a mode of rhs may split, none merge
///   example  composition("(4,8):(2,16)", "4:2") == "(2,2):(4,16)"
///   throws   not_divisible: a mode of rhs straddles a mode of lhs; overflow
[[nodiscard]] Layout composition(const Layout& lhs, const Layout& rhs);
/// Mode by mode for a tuple; modes of lhs that a shorter tuple does not reach are dropped.
[[nodiscard]] Layout composition(const Layout& lhs, const Tiler& rhs);
/// The same offsets under another shape: composition with its compact layout.
///   example  with_shape("16:2", "(4,4)") == "(4,4):(2,8)"
[[nodiscard]] Layout with_shape(const Layout& layout, const IntTuple& shape);
/// Same result; nothing instead of an exception. For searches that try many pairs.
[[nodiscard]] std::optional<Layout> try_composition(const Layout& lhs, const Layout& rhs);

/// The layout of what `layout` leaves out of [0, cotarget), repeated blocks first: rising, and
/// disjoint from it but for 0. Together they reach all of it where each stride is a multiple of
/// where the smaller ones end; elsewhere CuTe rounds down. The last block may pass the cotarget.
///   example  complement("4:2", 24) == "(2,3):(1,8)"
///            complement("(4,5):(48,8)") == "8:1", and 40 to 47 are in neither
///   throws   not_injective: two coordinates of the layout share an offset
[[nodiscard]] Layout complement(const Layout& layout, const IntTuple& cotarget);
/// With the cosize of the filtered layout as cotarget.
[[nodiscard]] Layout complement(const Layout& layout);

/// R with layout(R(i)) == i, as long as offsets are reached without a gap.
/// Strides on unit vectors have one inverse for each: from the coordinate that the layout gives to
/// the one-dimensional coordinate that it takes.
///   example  right_inverse("(2,4,6):(1,6,2)") == "(2,6):(1,8)"
///            right_inverse("(4,5):(1@1,1@0)") == "(5,4):(4,1)"
[[nodiscard]] Layout right_inverse(const Layout& layout);
/// R with R(layout(i)) == i, where no two coordinates share an offset; on unit vectors likewise.
///   throws  not_divisible: the inverse is no layout
[[nodiscard]] Layout left_inverse(const Layout& layout);

/// (tile, rest): composition with the tile and its complement, wherever that is accepted; by mode
/// for a tuple of tilers. Elsewhere CuTe rounds up: the tile may not be what the tiler picks, and
/// the result has more elements where a tile passes the end of a mode.
///   example  logical_divide("16:2", "4:1") == "(4,4):(2,8)"
///            logical_divide("(9,2):(2,1)", "6") == "(6,(2,2)):(2,(12,1))"
[[nodiscard]] Layout logical_divide(const Layout& layout, const Tiler& tiler);
/// ((tiles), (rests)): all tile modes in mode 0, everything else in mode 1.
[[nodiscard]] Layout zipped_divide(const Layout& layout, const Tiler& tiler);
/// ((tiles), rest0, rest1, …)
[[nodiscard]] Layout tiled_divide(const Layout& layout, const Tiler& tiler);
/// (tile0, tile1, …, rest0, rest1, …)
[[nodiscard]] Layout flat_divide(const Layout& layout, const Tiler& tiler);

/// ((tiles), (rests)) of a layout of (tile, rest) pairs, as logical_divide leaves it.
///   example  tile_unzip("((4,2),(3,4)):((1,4),(8,24))", "(4,3)") == "((4,3),(2,4)):((1,8),(4,24))"
[[nodiscard]] Layout tile_unzip(const Layout& divided, const Tiler& tiler);

/// (block, repetition): the block repeated as the tiler says in the gaps that it leaves. Copies
/// share no offset where the tiler is injective, its composition with the complement of the block
/// is accepted and that reaches all that the block leaves; elsewhere they may, as in CuTe.
///   example  logical_product("4:1", "2:1") == "(4,2):(1,4)"
///            logical_product("(2,2):(6,1)", "(2,2):(1,2)") has the offset 6 twice
///   throws   overflow: a stride of the repetition leaves 32 bits, where CuTe's wrap around; every
///            product refuses that
[[nodiscard]] Layout logical_product(const Layout& block, const Tiler& tiler);
[[nodiscard]] Layout logical_product(const Layout& block, const Layout& tiler);
[[nodiscard]] Layout zipped_product(const Layout& block, const Tiler& tiler);
[[nodiscard]] Layout tiled_product(const Layout& block, const Tiler& tiler);
[[nodiscard]] Layout flat_product(const Layout& block, const Tiler& tiler);
/// Product with modes zipped rank by rank: block mode fastest (blocked) or slowest (raked).
[[nodiscard]] Layout blocked_product(const Layout& block, const Layout& tiler);
[[nodiscard]] Layout raked_product(const Layout& block, const Layout& tiler);

/// Repeats the block until it fills the shape, as a product; the first mode repeats first.
///   example  tile_to_shape("(8,3):(3,1)", "(24,24)") == "((8,3),(3,8)):((3,24),(1,72))"
///   throws   not_divisible: the block's shape does not divide the target
[[nodiscard]] Layout tile_to_shape(const Layout& block, const IntTuple& shape);
/// `order`: in which order the modes repeat, least first.
[[nodiscard]] Layout tile_to_shape(const Layout& block, const IntTuple& shape,
                                   const IntTuple& order);

/// Concatenation: one mode for each layout.   example  make_layout({"4:1","8:4"}) == "(4,8):(1,4)"
[[nodiscard]] Layout make_layout(const std::vector<Layout>& modes);

/// Distributes n over the shape, from the left, as far as it divides.
///   example  domain_distribute("(15,14)", 6) == "(3,2):(1,15)"
[[nodiscard]] Layout domain_distribute(const IntTuple& shape, Index n);
/// The coordinates that map to 0.
[[nodiscard]] Layout nullspace(const Layout& layout);
/// The most elements that are contiguous, in the same order, in both layouts.
[[nodiscard]] Layout max_common_layout(const Layout& a, const Layout& b);
[[nodiscard]] Index max_common_vector(const Layout& a, const Layout& b);
/// The largest power-free alignment in elements of what the layout's contiguous runs start at.
[[nodiscard]] Index max_alignment(const Layout& layout);
/// The same of swizzled ones: a swizzle keeps together what lies below its base, equal ones all.
///   throws  not_compatible (max_common_layout): both are swizzled
[[nodiscard]] Index max_common_vector(const ComposedLayout& a, const ComposedLayout& b);
[[nodiscard]] Layout max_common_layout(const ComposedLayout& a, const ComposedLayout& b);
[[nodiscard]] Index max_alignment(const ComposedLayout& layout);
/// 1:0 behind a swizzle, which moves the zeros about.
[[nodiscard]] Layout nullspace(const ComposedLayout& layout);

// Composed layouts swizzle ∘ offset ∘ layout: operations on the domain act on the inner layout.

/// An identity swizzle with offset 0 decays to the layout.
[[nodiscard]] ComposedLayout composition(const Swizzle& swizzle, const Layout& layout);
[[nodiscard]] ComposedLayout composition(const Swizzle& swizzle, Index offset,
                                         const Layout& layout);
[[nodiscard]] ComposedLayout composition(const ComposedLayout& lhs, const Tiler& rhs);
/// layout ∘ swizzle, with the swizzle moved to the offsets: a(swizzle(i)) == result(i).
[[nodiscard]] ComposedLayout composition(const Layout& lhs, const Swizzle& rhs);
/// lhs ∘ (swizzle ∘ layout).   throws  not_compatible: the offset between them is not 0
[[nodiscard]] ComposedLayout composition(const Layout& lhs, const ComposedLayout& rhs);
/// The swizzle that XORs the bits of the mask `source` into those of `target`.
///   example  make_swizzle(0x1c0, 0x38) == Sw<3,3,3>
///   throws   not_compatible: the masks are no two fields of equal length side by side
[[nodiscard]] Swizzle make_swizzle(Index source, Index target);
/// One swizzle for two of the same shift.   throws  not_compatible
[[nodiscard]] Swizzle composition(const Swizzle& lhs, const Swizzle& rhs);
/// The block repeated as a swizzled tiler says: the swizzle moves to the offsets of the repetition.
[[nodiscard]] ComposedLayout logical_product(const Layout& block, const ComposedLayout& tiler);
[[nodiscard]] ComposedLayout coalesce(const ComposedLayout& layout);
[[nodiscard]] ComposedLayout coalesce(const ComposedLayout& layout, const IntTuple& profile);
[[nodiscard]] ComposedLayout logical_divide(const ComposedLayout& layout, const Tiler& tiler);
[[nodiscard]] ComposedLayout zipped_divide(const ComposedLayout& layout, const Tiler& tiler);
[[nodiscard]] ComposedLayout tiled_divide(const ComposedLayout& layout, const Tiler& tiler);
[[nodiscard]] ComposedLayout flat_divide(const ComposedLayout& layout, const Tiler& tiler);
[[nodiscard]] ComposedLayout tile_to_shape(const ComposedLayout& block, const IntTuple& shape);
[[nodiscard]] ComposedLayout tile_to_shape(const ComposedLayout& block, const IntTuple& shape,
                                           const IntTuple& order);

}  // namespace jute
