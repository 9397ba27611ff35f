// Values of the element types of matrix instructions.
#include "emulator/tensor/number_fields.hpp"

#include "emulator/tensor/scaled_dot.hpp"

#include <cmath>
#include <limits>

namespace jute::emulator {

double value_of(std::uint32_t bits, MmaType type) {
  const NumberFields fields = fields_of(type);
  const std::uint32_t fraction = bits & ((1U << fields.mantissa) - 1);
  const std::uint32_t exponent = bits >> fields.mantissa & ((1U << fields.exponent) - 1);
  const double sign = (bits >> (fields.mantissa + fields.exponent) & 1) != 0 ? -1 : 1;
  if (is_special(bits, type)) {
    const bool is_nan = type == MmaType::e4m3 || fraction != 0;
    return is_nan ? std::numeric_limits<double>::quiet_NaN() : sign * HUGE_VAL;
  }
  const int bias = (1 << (fields.exponent - 1)) - 1;
  const std::uint32_t significand = exponent == 0 ? fraction : fraction | (1U << fields.mantissa);
  const int power = static_cast<int>(exponent == 0 ? 1 : exponent) - bias - fields.mantissa;
  return sign * std::ldexp(static_cast<double>(significand), power);
}

AlignedDotFunction best_aligned_dot() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") != 0) return &avx2::aligned_dot;
#endif
  return &portable::aligned_dot;
}

const ScaledDotFunctions& best_scaled_dot() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") != 0) return avx2::kScaledDot;
#endif
  return portable::kScaledDot;
}

ScaledRange scaled_range(MmaType type) {
  // Products of two numbers stay within 2^+-100.
  constexpr std::uint32_t kLeast = 127 - 50, kLimit = 127 + 50;
  const NumberFields fields = fields_of(type);
  if (fields.exponent == 8) return {fields, kLeast << fields.mantissa, kLimit << fields.mantissa};
  if (type == MmaType::e4m3) return {fields, 1, 0x7F};
  return {fields, 1, ((1U << fields.exponent) - 1) << fields.mantissa};
}

}  // namespace jute::emulator
