#pragma once
// 64-bit arithmetic that refuses to wrap.
#include <jute/base/error.hpp>
#include <jute/base/export.hpp>
#include <jute/base/types.hpp>

#include <string>

namespace JUTE_API jute {

[[noreturn]] void throw_overflow(std::string_view what, Index left, std::string_view sign,
                                 Index right);

/// throws  overflow: names `what`, both operands and the rule
[[nodiscard]] inline Index checked_mul(Index left, Index right, std::string_view what = "product") {
  Index result = 0;
  if (__builtin_mul_overflow(left, right, &result)) throw_overflow(what, left, "*", right);
  return result;
}
[[nodiscard]] inline Index checked_add(Index left, Index right, std::string_view what = "sum") {
  Index result = 0;
  if (__builtin_add_overflow(left, right, &result)) throw_overflow(what, left, "+", right);
  return result;
}
[[nodiscard]] constexpr Index ceil_div(Index value, Index divisor) {
  return value / divisor + (value % divisor != 0 ? 1 : 0);
}

}  // namespace jute
