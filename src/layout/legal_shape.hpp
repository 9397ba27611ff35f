#pragma once
// The shape that a refused one was probably meant to be, for messages.
#include <jute/layout/int_tuple.hpp>

#include <string>

namespace jute::layout {

/// The whole shape with 1 for each leaf that is no extent: what stands in its place is a shape
/// again.
///   example  nearest_shape((4,(0,-2))) == "(4,(1,1))"
[[nodiscard]] std::string nearest_shape(const IntTuple& shape);

}  // namespace jute::layout
