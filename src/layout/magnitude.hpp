#pragma once
// Strides without their sign.
#include <jute/base/checked.hpp>

namespace jute {

///   throws  overflow: the least number has none
[[nodiscard]] inline Index magnitude(Index value) {
  return value < 0 ? checked_mul(-1, value, "stride") : value;
}

}  // namespace jute
