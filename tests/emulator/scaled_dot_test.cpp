// The aligned sum by f32 gives what the one by integers gives, wherever it does not refuse.
#include "emulator/tensor/scaled_dot.hpp"
#include "support/catch.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <random>
#include <vector>

using namespace jute::emulator;

namespace {

constexpr int kRows = 16, kColumns = kDotColumns;

/// Toward zero to f32, whose low bits `mask` takes off.
std::uint32_t truncated(double value, std::uint32_t mask) {
  auto rounded = static_cast<float>(value);
  if (std::fabs(static_cast<double>(rounded)) > std::fabs(value))
    rounded = std::nextafter(rounded, 0.0F);
  const auto bits = std::bit_cast<std::uint32_t>(rounded) & mask;
  return (bits & 0x7FFFFFFF) == 0 ? 0 : bits;
}

struct Operands {
  MmaType type;
  int depth;
  std::vector<std::uint32_t> a, b;
  std::array<std::uint32_t, kRows * kColumns> d;
};
/// Numbers whose exponents lie `spread` apart, some zero; C likewise, some of it far away.
Operands random_operands(MmaType type, int depth, int spread, std::mt19937& random) {
  const NumberFields fields = fields_of(type);
  const int bias = (1 << (fields.exponent - 1)) - 1;
  const auto number = [&](const NumberFields& as, int middle) {
    const auto exponent = static_cast<std::uint32_t>(
        middle + static_cast<int>(random() % static_cast<unsigned>(spread)) - spread / 2);
    const auto mantissa = static_cast<std::uint32_t>(random() & ((1U << as.mantissa) - 1));
    const auto sign = static_cast<std::uint32_t>(random() & 1);
    if (random() % 16 == 0) return sign << (as.mantissa + as.exponent);
    return (sign << as.exponent | exponent) << as.mantissa | mantissa;
  };
  Operands made{type, depth, {}, {}, {}};
  for (int i = 0; i < kRows * depth; ++i) made.a.push_back(number(fields, bias));
  for (int i = 0; i < kColumns * depth; ++i) made.b.push_back(number(fields, bias));
  for (std::uint32_t& c : made.d)
    c = number({23, 8}, random() % 64 == 0 ? 20 + static_cast<int>(random() % 200) : 127);
  return made;
}

/// By integers.
std::array<std::uint32_t, kRows * kColumns> reference(const Operands& in, int fraction,
                                                      std::uint32_t mask) {
  static AlignedDot dot;
  const NumberFields fields = fields_of(in.type);
  dot.rows = kRows;
  dot.depth = in.depth;
  dot.product_shift = fraction - 2 * fields.mantissa;
  dot.c_shift = std::max(0, fraction - 23);
  for (size_t i = 0; i < in.a.size(); ++i)
    split_number(in.a[i], fields, dot.a, static_cast<int>(i));
  for (size_t i = 0; i < in.b.size(); ++i)
    split_number(in.b[i], fields, dot.b, static_cast<int>(i));
  for (size_t i = 0; i < in.d.size(); ++i) {
    split_number(in.d[i], {23, 8}, dot.c, static_cast<int>(i));
    if (fraction < 23) dot.c.magnitude[i] >>= 23 - fraction;
  }
  portable::aligned_dot(dot);
  std::array<std::uint32_t, kRows * kColumns> result{};
  for (size_t i = 0; i < result.size(); ++i)
    if (dot.sum[i] != 0 && dot.exponent[i] > kZeroExponent / 2)
      result[i] =
          truncated(std::ldexp(static_cast<double>(dot.sum[i]), dot.exponent[i] - fraction), mask);
  return result;
}

struct Multiplied {
  int compared = 0, different = 0;
};
void compare(const ScaledDotFunctions& functions, const Operands& in, Multiplied& outcome) {
  const bool fp8 = fields_of(in.type).mantissa <= 3;
  const int fraction = fp8 ? 13 : 25;
  const std::uint32_t mask = fp8 ? ~((1U << 10) - 1) : ~0U;
  std::vector<float> a(in.a.size()), b(in.b.size());
  std::vector<std::int32_t> a_exponent(in.a.size()), b_exponent(in.b.size());
  const ScaledRange range = scaled_range(in.type);
  const auto size = [](const auto& list) { return static_cast<int>(list.size()); };
  if (!functions.split(range, in.a.data(), size(in.a), a.data(), a_exponent.data()) ||
      !functions.split(range, in.b.data(), size(in.b), b.data(), b_exponent.data()))
    return;
  auto d = in.d;
  const std::uint32_t refused = functions.sum({.depth = in.depth,
                                               .fraction = fraction,
                                               .result_mask = mask,
                                               .a_value = a.data(),
                                               .a_exponent = a_exponent.data(),
                                               .b_value = b.data(),
                                               .b_exponent = b_exponent.data()},
                                              d.data());
  const auto expected = reference(in, fraction, mask);
  for (size_t i = 0; i < d.size(); ++i) {
    if ((refused >> (i / kColumns) & 1) != 0) {
      outcome.different += d[i] == in.d[i] ? 0 : 1;
      continue;
    }
    ++outcome.compared;
    outcome.different += d[i] == expected[i] ? 0 : 1;
  }
}

}  // namespace

TEST_CASE("sums by f32 are those by integers, bit for bit", "[emulator][wgmma][law]") {
  struct Form {
    MmaType type;
    int depth;
    std::vector<int> spreads;
  };
  const Form forms[] = {{MmaType::bf16, 16, {1, 3, 20, 60, 90}},
                        {MmaType::f16, 16, {1, 3, 20, 30}},
                        {MmaType::tf32, 8, {1, 3, 20, 60, 90}},
                        {MmaType::e4m3, 32, {1, 3, 14}},
                        {MmaType::e5m2, 32, {1, 3, 20, 30}}};
  std::mt19937 random(7);
  for (const Form& form : forms) {
    for (const ScaledDotFunctions* functions : {&portable::kScaledDot, &best_scaled_dot()}) {
      Multiplied outcome;
      for (const int spread : form.spreads)
        for (int i = 0; i < 60; ++i)
          compare(*functions, random_operands(form.type, form.depth, spread, random), outcome);
      CHECK(outcome.different == 0);
      CHECK(outcome.compared > 10'000);
    }
  }
}
