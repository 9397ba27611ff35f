#pragma once
// Layouts recounted in elements of another width.
#include <jute/base/export.hpp>
#include <jute/layout/swizzle.hpp>

namespace JUTE_API jute {

/// Offsets in units of n old elements.   example  upcast("(4,2):(1,4)", 2) == "(2,2):(1,2)"
///   throws  not_divisible: a stride neither divides n nor is a multiple of it
[[nodiscard]] Layout upcast(const Layout& layout, Index n);
/// Offsets in units of 1/n old element.   example  downcast("(4,2):(1,4)", 2) == "(8,2):(1,8)"
///   throws  not_compatible: no mode is contiguous
[[nodiscard]] Layout downcast(const Layout& layout, Index n);
/// From elements of `old_bits` to elements of `new_bits`.
[[nodiscard]] Layout recast_layout(const Layout& layout, Index old_bits, Index new_bits);

/// throws  not_divisible: n is no power of two, or does not divide the offset
[[nodiscard]] ComposedLayout upcast(const ComposedLayout& layout, Index n);
[[nodiscard]] ComposedLayout downcast(const ComposedLayout& layout, Index n);
[[nodiscard]] ComposedLayout recast_layout(const ComposedLayout& layout, Index old_bits,
                                           Index new_bits);
/// Does a swizzle leave each aligned run of n numbers together and in order? Where it does not, an
/// upcast by n is still the layout of the larger elements, as CuTe has it, but the order of the n
/// within each is lost: to a swizzle of larger elements it cannot be told.
///   example  keeps_runs("Sw<3,0,3>", 2) == false: 8 and 9 change places
///   throws   out_of_range: n is below 1; not_divisible: it is no power of two
[[nodiscard]] bool keeps_runs(const Swizzle& swizzle, Index n);
[[nodiscard]] Swizzle upcast(const Swizzle& swizzle, Index n);
[[nodiscard]] Swizzle downcast(const Swizzle& swizzle, Index n);
[[nodiscard]] Swizzle recast_layout(const Swizzle& swizzle, Index old_bits, Index new_bits);

}  // namespace jute
