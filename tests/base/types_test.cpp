#include "support/catch.hpp"
#include "support/refusal.hpp"

#include <jute/base/types.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <random>

using namespace jute;

namespace {

constexpr DType kAll[] = {DType::f16,  DType::bf16, DType::tf32, DType::f32, DType::f64,
                          DType::e4m3, DType::e5m2, DType::s8,   DType::u8,  DType::s32};
constexpr DType kSmall[] = {DType::f16,  DType::bf16, DType::e4m3,
                            DType::e5m2, DType::s8,   DType::u8};

/// Finite values of a small type in ascending order, with their patterns.
std::vector<std::pair<double, std::uint64_t>> finite_values(DType type) {
  std::vector<std::pair<double, std::uint64_t>> values;
  for (std::uint64_t bits = 0; bits < (std::uint64_t{1} << width_bits(type)); ++bits) {
    const double value = decode(type, bits);
    if (std::isfinite(value) && !(value == 0 && std::signbit(value)))
      values.emplace_back(value, bits);
  }
  std::sort(values.begin(), values.end());
  return values;
}

}  // namespace

TEST_CASE("every small pattern survives decoding and encoding", "[base][types][law]") {
  for (const DType type : kSmall)
    for (std::uint64_t bits = 0; bits < (std::uint64_t{1} << width_bits(type)); ++bits) {
      const double value = decode(type, bits);
      if (std::isnan(value)) continue;
      if (type == DType::e5m2 && std::isinf(value)) continue;  // encoding saturates
      if (encode(type, value) != bits) FAIL(name(type) << " " << bits << " " << value);
    }
}

TEST_CASE("encoding finds the nearest value, the even one between two", "[base][types][law]") {
  for (const DType type : kSmall) {
    const auto values = finite_values(type);
    for (size_t i = 0; i + 1 < values.size(); ++i) {
      const auto [low, low_bits] = values[i];
      const auto [high, high_bits] = values[i + 1];
      const double middle = low + (high - low) / 2;
      const bool low_is_even = is_integer(type) ? std::fmod(low, 2) == 0 : (low_bits & 1) == 0;
      const double tie = decode(type, encode(type, middle));
      const double below = decode(type, encode(type, std::nextafter(middle, low)));
      const double above = decode(type, encode(type, std::nextafter(middle, high)));
      if (tie != (low_is_even ? low : high) || below != low || above != high)
        FAIL(name(type) << " between " << low << " and " << high);
    }
  }
}

TEST_CASE("f32 encoding agrees with the processor's conversion", "[base][types][law]") {
  std::mt19937_64 random(1);
  for (int i = 0; i < 200000; ++i) {
    const std::uint64_t bits = random();
    // Exponents around and beyond the range of f32, subnormals included.
    const auto exponent = static_cast<std::uint64_t>(1023 - 160 + static_cast<int>(random() % 320));
    const double value = std::bit_cast<double>((bits & 0x800fffffffffffffULL) | (exponent << 52));
    if (encode(DType::f32, value) != std::bit_cast<std::uint32_t>(static_cast<float>(value)))
      FAIL(value);
    const auto pattern = static_cast<std::uint32_t>(bits);
    const auto single = std::bit_cast<float>(pattern);
    if (!std::isnan(single) && decode(DType::f32, pattern) != static_cast<double>(single))
      FAIL(pattern);
    if (!std::isnan(single) && encode(DType::f32, single) != pattern) FAIL(pattern);
  }
}

TEST_CASE("a double is rounded once, not through f32", "[base][types]") {
  // 1 + 2^-11 + 2^-40 lies just above a tie of f16; through f32 it would become the tie itself.
  CHECK(encode(DType::f16, 1 + std::ldexp(1.0, -11) + std::ldexp(1.0, -40)) == 0x3c01);
  CHECK(encode(DType::f16, 1 + std::ldexp(1.0, -11)) == 0x3c00);
  CHECK(encode(DType::bf16, 1 + std::ldexp(1.0, -8) + std::ldexp(1.0, -45)) == 0x3f81);
}

TEST_CASE("tf32 keeps 10 mantissa bits in 32 bits of storage", "[base][types]") {
  CHECK(encode(DType::tf32, 1.0) == 0x3f800000);
  CHECK(encode(DType::tf32, 1 + std::ldexp(1.0, -10)) == 0x3f802000);
  CHECK(encode(DType::tf32, 1 + std::ldexp(1.0, -11)) == 0x3f800000);
  CHECK(encode(DType::tf32, 1 + 3 * std::ldexp(1.0, -11)) == 0x3f804000);
  CHECK(decode(DType::tf32, 0x3f801fff) == 1.0);
  CHECK(encode(DType::tf32, 3.4028234663852886e38) == 0x7f800000);
  std::mt19937 random(2);
  for (int i = 0; i < 100000; ++i) {
    const std::uint64_t bits = random() & 0xffffe000U;
    const double value = decode(DType::tf32, bits);
    if (!std::isnan(value) && encode(DType::tf32, value) != bits) FAIL(bits);
  }
}

TEST_CASE("overflow, infinities and NaN follow the type", "[base][types]") {
  const double infinity = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(encode(DType::f16, 65519.99) == 0x7bff);
  CHECK(encode(DType::f16, 65520) == 0x7c00);
  CHECK(encode(DType::f16, -infinity) == 0xfc00);
  CHECK(encode(DType::bf16, 1e39) == 0x7f80);
  CHECK(encode(DType::e4m3, 448) == 0x7e);
  CHECK(encode(DType::e4m3, 1e30) == 0x7e);
  CHECK(encode(DType::e4m3, -infinity) == 0xfe);
  CHECK(encode(DType::e4m3, nan) == 0x7f);
  CHECK(std::isnan(decode(DType::e4m3, 0xff)));
  CHECK(decode(DType::e4m3, 0x7e) == 448);
  CHECK(decode(DType::e4m3, 0x01) == std::ldexp(1.0, -9));
  CHECK(encode(DType::e5m2, infinity) == 0x7b);
  CHECK(decode(DType::e5m2, 0x7b) == 57344);
  CHECK(std::isinf(decode(DType::e5m2, 0xfc)));
  CHECK(encode(DType::e5m2, nan) == 0x7f);
  CHECK(encode(DType::f16, nan) == 0x7fff);
  CHECK(encode(DType::bf16, nan) == 0x7fff);
  CHECK(encode(DType::f32, nan) == 0x7fffffff);
  CHECK(encode(DType::f16, -0.0) == 0x8000);
  CHECK(encode(DType::f32, -1e-60) == 0x80000000);
  CHECK(encode(DType::f32, std::numeric_limits<double>::denorm_min()) == 0);
}

TEST_CASE("integers round to nearest even and saturate", "[base][types]") {
  CHECK(encode(DType::s8, 2.5) == 2);
  CHECK(encode(DType::s8, 3.5) == 4);
  CHECK(encode(DType::s8, -2.5) == 0xfe);
  CHECK(encode(DType::s8, -1000) == 0x80);
  CHECK(encode(DType::s8, 127.6) == 127);
  CHECK(encode(DType::u8, -3) == 0);
  CHECK(encode(DType::u8, 300) == 255);
  CHECK(encode(DType::s32, 2147483647.5) == 0x7fffffff);
  CHECK(encode(DType::s32, -2147483648.0) == 0x80000000);
  CHECK(encode(DType::s32, std::nan("")) == 0);
  CHECK(decode(DType::s32, 0xffffffff) == -1);
}

TEST_CASE("types have names, widths and precisions", "[base][types]") {
  for (const DType type : kAll) {
    CHECK(parse_dtype(name(type)) == type);
    CHECK(width_bits(type) % 8 == 0);
  }
  CHECK(width_bits(DType::tf32) == 32);
  CHECK(precision_bits(DType::f16) == 11);
  CHECK(precision_bits(DType::bf16) == 8);
  CHECK(precision_bits(DType::tf32) == 11);
  CHECK(precision_bits(DType::f32) == 24);
  CHECK(precision_bits(DType::f64) == 53);
  CHECK(precision_bits(DType::e4m3) == 4);
  CHECK(precision_bits(DType::e5m2) == 3);
  CHECK(precision_bits(DType::s8) == 7);
  CHECK(precision_bits(DType::u8) == 8);
  CHECK(is_integer(DType::u8));
  CHECK_FALSE(is_integer(DType::e4m3));
}

TEST_CASE("an unknown type is refused with the nearest name", "[base][types][refusal]") {
  const Error error = test::refusal_of([] { return parse_dtype("bf61"); });
  CHECK(error.code == ErrorCode::unknown_name);
  CHECK(error.value == "bf61");
  CHECK(error.nearest_legal == "bf16");
}

TEST_CASE("arrays decode and encode element by element", "[base][types]") {
  std::mt19937 random(3);
  for (const DType type : kAll) {
    std::vector<double> values(100);
    for (double& value : values) value = static_cast<double>(static_cast<int>(random() % 9));
    const std::vector<std::byte> bytes = encode(type, values);
    CHECK(bytes.size() == 100 * static_cast<size_t>(width_bytes(type)));
    CHECK(decode(type, bytes) == values);
  }
  const std::vector<std::byte> odd(5);
  CHECK(test::refusal_of([&] { return decode(DType::f16, odd); }).code == ErrorCode::not_divisible);
}

TEST_CASE("a type's name elsewhere is told with its name here", "[base][types][refusal]") {
  const auto nearest = [](const char* spelling) {
    return test::refusal_of([&] { return parse_dtype(spelling); }).nearest_legal;
  };
  CHECK(nearest("half") == "f16");
  CHECK(nearest("torch.bfloat16") == "bf16");
  CHECK(nearest("Float") == "f32");
  CHECK(nearest("flaot") == "f32");
  CHECK(nearest("np.float64") == "f64");
  CHECK(nearest("cutlass::half_t") == "f16");
  CHECK(nearest("float8_e4m3fn") == "e4m3");
  CHECK(nearest("int8") == "s8");
  CHECK_FALSE(nearest("quaternion"));
}

TEST_CASE("types of 4 bits lie two in a byte, the first in its low half", "[base][types]") {
  const std::vector<double> values{-8, 7, -1, 0, 3};
  const std::vector<std::byte> bytes = encode(DType::s4, values);
  CHECK(bytes == std::vector{std::byte{0x78}, std::byte{0x0f}, std::byte{0x03}});
  std::vector<double> back = decode(DType::s4, bytes);
  CHECK(back.size() == 6);
  back.pop_back();
  CHECK(back == values);
  CHECK(byte_count(DType::s4, 5) == 3);
  CHECK(byte_count(DType::u4, 6) == 3);
  CHECK(byte_count(DType::bf16, 5) == 10);
  CHECK(width_bytes(DType::e2m1) == 1);
}

TEST_CASE("every pattern of what is only stored has the value of its definition",
          "[base][types][law]") {
  // Source: OCP Microscaling Formats (MX) v1.0, 5.3.3 (FP4) and 5.4 (E8M0).
  constexpr double kE2m1[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
  for (unsigned bits = 0; bits < 16; ++bits) {
    CHECK(decode(DType::e2m1, bits) == (bits < 8 ? kE2m1[bits] : -kE2m1[bits - 8]));
    CHECK(encode(DType::e2m1, decode(DType::e2m1, bits)) == bits);
    CHECK(decode(DType::u4, bits) == bits);
    CHECK(decode(DType::s4, bits) == (bits < 8 ? 0.0 + bits : bits - 16.0));
  }
  CHECK(encode(DType::e2m1, 100) == 7);
  CHECK(encode(DType::e2m1, 2.5) == 4);  // 2, which is even
  CHECK(encode(DType::e2m1, 5) == 6);    // 4 likewise
  CHECK(encode(DType::s4, 100) == 7);
  for (unsigned bits = 0; bits < 255; ++bits) {
    CHECK(decode(DType::ue8m0, bits) == std::ldexp(1.0, static_cast<int>(bits) - 127));
    CHECK(encode(DType::ue8m0, decode(DType::ue8m0, bits)) == bits);
  }
  CHECK(std::isnan(decode(DType::ue8m0, 255)));
  CHECK(encode(DType::ue8m0, std::nan("")) == 255);
  CHECK(encode(DType::ue8m0, 0) == 0);
}
