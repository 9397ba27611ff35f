#pragma once
// Are two layouts the same function?
#include <jute/base/export.hpp>
#include <jute/layout/swizzle.hpp>

namespace JUTE_API jute {

/// Do both have the same size and map every one-dimensional coordinate to the same offset? The cost
/// grows with the number of modes, not with the size.
///   example  equivalent("(2,4):(1,2)", "8:1") is true
[[nodiscard]] bool equivalent(const Layout& a, const Layout& b);
/// Takes swizzled ones too, at the same cost as long as the bits that different swizzles read and
/// change are XORs of the coordinates' binary digits: carries below and above them do no harm.
/// Where offsets carry across these bits, no method is known whose cost does not grow like the
/// size; such layouts are compared coordinate by coordinate, and so are those behind different
/// swizzles with negative strides or with modes like (2,3) and (3,2) that no finer modes make one.
///   throws  unsupported: such layouts that agree up to 2^24 coordinates and have more
[[nodiscard]] bool equivalent(const ComposedLayout& a, const ComposedLayout& b);

}  // namespace jute
