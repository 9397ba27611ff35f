#pragma once
// Roundings, and functions of epilogues whose values a kernel need not hit.
#include <jute/base/types.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <string>

namespace jute::test {

inline double to_type(DType type, double value) { return decode(type, encode(type, value)); }
/// The last 32 bits of a whole number.
inline long double last_bits(long double whole) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(static_cast<std::int64_t>(whole)));
}

/// Its value, and its errors as docs/epilogues.md has them: units in the last place, plus an
/// absolute one, plus a share of the operand.
struct PlainFunction {
  std::function<long double(long double)> value;
  double f32_ulps, f32_absolute, half_ulps, half_absolute, half_share, f64_ulps, f64_absolute;
  bool rises = true;            ///< throughout; else it moves, at most,
  long double fastest = 1.13L;  ///< times as fast as its operand
};
inline const std::map<std::string, PlainFunction>& plain_functions() {
  const auto logistic = [](long double x) { return 1 / (1 + std::exp(-x)); };
  static const std::map<std::string, PlainFunction> kFunctions{
      {"exp()", {[](long double x) { return std::exp(x); }, 1, 0, 1, 0, 0, 2, 0}},
      {"log()", {[](long double x) { return std::log(x); }, 1, 0, 1, 0, 0, 2, 0}},
      {"tanh()", {[](long double x) { return std::tanh(x); }, 2, 0, 8190, 0, 0, 3, 0}},
      {"erf()", {[](long double x) { return std::erf(x); }, 2, 0, 2, 0, 0, 3, 0}},
      {"sigmoid()", {logistic, 144, 2.35e-38, 1, 0.000244, 0, 8, 4.45e-308}},
      {"gelu()",
       {[](long double x) { return x * 0.5L * std::erfc(-x * std::sqrt(0.5L)); }, 400, 7.52e-37, 2,
        0, 0.000264, 16, 9.11e-305, false}},
      {"gelu_tanh()",
       {[=](long double x) {
          const long double root = std::sqrt(2 / std::acos(-1.0L));
          return x * logistic(2 * root * (x + 0.044715L * x * x * x));
        },
        360, 1.5e-36, 2, 0, 0.000244, 4800, 9.11e-305, false}},
      {"silu()",
       {[=](long double x) { return x * logistic(x); }, 146, 3.01e-36, 2, 0, 0.000244, 8, 9.11e-305,
        false}},
      {"hardswish()",
       {[](long double x) { return x * std::clamp(x + 3, 0.0L, 6.0L) / 6; }, 4, 1.4e-45, 4, 1.4e-45,
        0, 4, 4.94e-324, false, 1.5L}}};
  return kFunctions;
}

}  // namespace jute::test
