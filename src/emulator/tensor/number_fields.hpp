#pragma once
// How the element types of matrix instructions split into sign, exponent and significand.
#include "emulator/tensor/aligned_dot.hpp"
#include "emulator/tensor/mma.hpp"

#include <cmath>
#include <cstdint>
#include <optional>

namespace jute::emulator {

/// Infinite or NaN.
[[nodiscard]] constexpr bool is_special(std::uint32_t bits, MmaType type) {
  const NumberFields fields = fields_of(type);
  const std::uint32_t all = (1U << fields.exponent) - 1;
  if (type == MmaType::e4m3) return (bits & 0x7F) == 0x7F;
  return (bits >> fields.mantissa & all) == all;
}
constexpr void split_number(std::uint32_t bits, NumberFields fields, SplitOperand& out, int at) {
  const int total = fields.mantissa + fields.exponent;
  const std::uint32_t magnitude = bits & ((1U << total) - 1);
  const std::uint32_t exponent = magnitude >> fields.mantissa;
  const std::uint32_t fraction = magnitude & ((1U << fields.mantissa) - 1);
  const int bias = (1 << (fields.exponent - 1)) - 1;
  out.sign[at] = (bits >> total & 1) != 0 ? -1 : 0;
  out.magnitude[at] = exponent == 0 ? fraction : fraction | (1U << fields.mantissa);
  out.exponent[at] =
      magnitude == 0 ? kZeroExponent : static_cast<int>(exponent == 0 ? 1 : exponent) - bias;
}
/// A number of an integer type.
[[nodiscard]] constexpr std::int32_t integer_of(std::uint32_t bits, MmaType type) {
  switch (type) {
    case MmaType::s8:
      return static_cast<std::int8_t>(bits);
    case MmaType::s4:
      return static_cast<std::int32_t>(bits << 28) >> 28;
    default:
      return static_cast<std::int32_t>(bits);
  }
}
[[nodiscard]] double value_of(std::uint32_t bits, MmaType type);

/// The factors that a sum multiplies for one k.
struct Factors {
  std::uint32_t a = 0, b = 0;
};
/// Is a factor infinite or NaN? `at(k)`: those of k, nothing where none are multiplied.
template <class FactorsAt>
bool meets_special(int depth, MmaType a, MmaType b, FactorsAt at) {
  for (int k = 0; k < depth; ++k)
    if (const std::optional<Factors> one = at(k))
      if (is_special(one->a, a) || is_special(one->b, b)) return true;
  return false;
}
/// The sum of c and products of which some are infinite or NaN, if it is not: any NaN, Inf - Inf
/// or 0 * Inf gives NaN. What is finite leaves an infinity and a NaN as they are.
template <class FactorsAt>
double special_sum(double c, int depth, MmaType a, MmaType b, FactorsAt at) {
  double sum = c;
  for (int k = 0; k < depth && !std::isnan(sum); ++k)
    if (const std::optional<Factors> one = at(k))
      if (is_special(one->a, a) || is_special(one->b, b))
        sum += value_of(one->a, a) * value_of(one->b, b);
  return sum;
}

}  // namespace jute::emulator
