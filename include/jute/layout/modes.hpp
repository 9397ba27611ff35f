#pragma once
// Rearranging the modes of tuples and layouts.
#include <jute/base/export.hpp>
#include <jute/layout/swizzle.hpp>

namespace JUTE_API jute {

[[nodiscard]] int depth(const IntTuple& tuple);
[[nodiscard]] int depth(const Layout& layout);
/// All leaves in one tuple; a leaf stays a leaf.   example  flatten("((4,2),8)") == "(4,2,8)"
[[nodiscard]] IntTuple flatten(const IntTuple& tuple);
[[nodiscard]] Layout flatten(const Layout& layout);
/// Nests the modes of a flat tuple like the profile.   throws  not_congruent
[[nodiscard]] IntTuple unflatten(const IntTuple& flat, const IntTuple& profile);
[[nodiscard]] Layout unflatten(const Layout& flat, const IntTuple& profile);
/// A tuple of the modes i, j, ….   throws  out_of_range
[[nodiscard]] IntTuple select(const IntTuple& tuple, const std::vector<int>& modes);
[[nodiscard]] Layout select(const Layout& layout, const std::vector<int>& modes);
/// Modes [begin, end) as a tuple.   throws  out_of_range: also for an empty range
[[nodiscard]] IntTuple take(const IntTuple& tuple, int begin, int end);
[[nodiscard]] Layout take(const Layout& layout, int begin, int end);
/// Modes [begin, end) become one.   example  group("(2,3,4):(1,2,6)", 1, 3) ==
/// "(2,(3,4)):(1,(2,6))"
[[nodiscard]] IntTuple group(const IntTuple& tuple, int begin, int end);
[[nodiscard]] Layout group(const Layout& layout, int begin, int end);
/// Pads with copies of `mode` to the given rank, behind or in front.   throws  out_of_range
[[nodiscard]] IntTuple append(const IntTuple& tuple, int rank, const IntTuple& mode);
[[nodiscard]] Layout append(const Layout& layout, int rank, const Layout& mode = Layout());
[[nodiscard]] IntTuple prepend(const IntTuple& tuple, int rank, const IntTuple& mode);
[[nodiscard]] Layout prepend(const Layout& layout, int rank, const Layout& mode = Layout());
/// Mode `index` replaced.
[[nodiscard]] IntTuple replace(const IntTuple& tuple, int index, const IntTuple& mode);
[[nodiscard]] Layout replace(const Layout& layout, int index, const Layout& mode);
[[nodiscard]] IntTuple reverse(const IntTuple& tuple);
/// The modes in pairs: zip("(2,3)", "(4,5)") == "((2,4),(3,5))". A first layout of no modes makes
/// one pair with the whole second: zip("2", "(4,5)") == "((2,(4,5)))".   throws  not_congruent
[[nodiscard]] Layout zip(const Layout& a, const Layout& b);
/// Modes of modes the other way round: zip("((2,3),(4,5))") == "((2,4),(3,5))"; modes are taken
/// whole where the first has none.
///   throws  not_congruent: the modes have different numbers of modes
[[nodiscard]] Layout zip(const Layout& layout);

/// The part of a layout that the wildcards of the coordinate leave open (slice), or the rest
/// (dice).
///   example  slice("(_,2)", "(4,8):(8,1)") == "(4):(8)"
///   throws   not_congruent: the coordinate is not weakly congruent with the shape
[[nodiscard]] IntTuple slice(const IntTuple& coordinate, const IntTuple& tuple);
[[nodiscard]] IntTuple dice(const IntTuple& coordinate, const IntTuple& tuple);
[[nodiscard]] Layout slice(const IntTuple& coordinate, const Layout& layout);
[[nodiscard]] Layout dice(const IntTuple& coordinate, const Layout& layout);
/// The slice and the offset of its origin; wildcards count as 0.
struct LayoutAndOffset {
  Layout layout;
  Index offset = 0;
  bool operator==(const LayoutAndOffset&) const = default;
};
[[nodiscard]] LayoutAndOffset slice_and_offset(const IntTuple& coordinate, const Layout& layout);
/// The layout with its origin moved to a coordinate: the layout and the offset of that coordinate,
/// which goes inside a swizzle.
[[nodiscard]] LayoutAndOffset domain_offset(const IntTuple& coordinate, const Layout& layout);
[[nodiscard]] ComposedLayout domain_offset(const IntTuple& coordinate,
                                           const ComposedLayout& layout);
/// A swizzled layout's slice. Where the open part does not reach both sides of the swizzle, it is
/// plain; otherwise the fixed bits that take part go into the offset inside the swizzle.
struct ComposedAndOffset {
  ComposedLayout layout;
  Index offset = 0;
  bool operator==(const ComposedAndOffset&) const = default;
};
[[nodiscard]] ComposedAndOffset slice_and_offset(const IntTuple& coordinate,
                                                 const ComposedLayout& layout);

[[nodiscard]] ComposedLayout flatten(const ComposedLayout& layout);
[[nodiscard]] ComposedLayout take(const ComposedLayout& layout, int begin, int end);
[[nodiscard]] ComposedLayout group(const ComposedLayout& layout, int begin, int end);
[[nodiscard]] ComposedLayout append(const ComposedLayout& layout, int rank,
                                    const Layout& mode = Layout());

}  // namespace jute
