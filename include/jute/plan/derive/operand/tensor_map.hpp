#pragma once
// The tensor map of a global layout.
#include <jute/base/export.hpp>
#include <jute/launch/tensor_map_spec.hpp>
#include <jute/layout/layout.hpp>

namespace JUTE_API jute {

/// The description by which TMA fetches boxes of a tensor in global memory.
///   shapes  global: one mode a dimension, each a single leaf, in any order; box: as many extents,
///           in the order of the modes
///   units   layout and box count elements
///   example tensor_map_spec(Layout("(128,64):(64,1)"), DType::bf16, "(64,32)", TmaSwizzle::b64):
///           dims (64,128) strides (128) box (32,64)
///   throws  illegal_tensor_map: every reason: no contiguous mode, a mode that is not flat, boxes
///           of another rank, and what check() says of the spec; with the nearest legal spec
[[nodiscard]] TensorMapSpec tensor_map_spec(const Layout& global, DType type, const IntTuple& box,
                                            TmaSwizzle swizzle = TmaSwizzle::none);

}  // namespace jute
