#pragma once
// Are two layouts the same function?
#include <jute/layout/swizzle.hpp>

namespace jute {

/// Do both have the same size and map every one-dimensional coordinate to the same offset? The cost
/// grows with the number of modes, not with the size.
///   example  equivalent("(2,4):(1,2)", "8:1") is true
[[nodiscard]] bool equivalent(const Layout& a, const Layout& b);
/// Of swizzled layouts too. The cost grows with the size only where both swizzles differ and
/// offsets of digits carry into one another.
///   throws  unsupported: such layouts with more than 2^24 coordinates
[[nodiscard]] bool equivalent(const ComposedLayout& a, const ComposedLayout& b);

}  // namespace jute
