// Half types and the math library: what nvcc makes of the CUDA headers gives the right numbers.
#include <bit>
#include <cmath>
#include <cstdint>
#include <random>

#include "emulator/run_ptx.hpp"
#include "support/catch.hpp"

using namespace jute;
using namespace jute::test;

namespace {

constexpr int kLibraryThreads = 256;
constexpr Dim3 kLibraryGrid{2, 1, 1};
constexpr Dim3 kLibraryBlock{128, 1, 1};

/// Every finite value class of a 16-bit type; pairs packed low half first.
std::vector<std::uint32_t> random_pairs(unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::uint32_t> values(kLibraryThreads);
  for (auto& x : values) x = static_cast<std::uint32_t>(random());
  for (size_t i = 0; i < 40; ++i) values[i] &= 0xBFFFBFFFU;  // more of moderate size
  return values;
}
std::uint32_t half_of(std::uint32_t pair, int part) { return pair >> (16 * part) & 0xFFFF; }

/// A result is right when it is the encoding of the exact value, or both are NaN.
bool agrees(DType type, std::uint32_t got, double exact) {
  const double value = decode(type, got);
  if (std::isnan(exact) || std::isnan(value)) return std::isnan(exact) && std::isnan(value);
  return got == encode(type, exact) || (value == 0 && decode(type, encode(type, exact)) == 0);
}

/// x * y + z with its last bit set where it is not exact: the later rounding to 11 or 8 bits is
/// then that of the exact value. The product of two such values is exact in f64.
double fused(double x, double y, double z) {
  const double product = x * y;
  const double sum = product + z;
  const double back = sum - product;
  const double error = (product - (sum - back)) + (z - back);
  const bool is_even = (std::bit_cast<std::uint64_t>(sum) & 1) == 0;
  if (error == 0 || !std::isfinite(sum) || !std::isfinite(error) || !is_even) return sum;
  return std::nextafter(sum, error > 0 ? HUGE_VAL : -HUGE_VAL);
}

void check_pairs(DType type, const char* kernel, size_t stride, bool has_order) {
  Bench bench;
  const auto a = random_pairs(1), b = random_pairs(2), c = random_pairs(3);
  const auto out = bench.alloc(kLibraryThreads * stride * 4);
  bench.run(read_ptx("library.ptx"), kernel, kLibraryGrid, kLibraryBlock,
            ArgumentBlock()
                .pointer(bench.upload(a))
                .pointer(bench.upload(b))
                .pointer(bench.upload(c))
                .pointer(out));
  CHECK(bench.backend->take_report().clean());
  const auto got = bench.download<std::uint32_t>(out, kLibraryThreads * stride);
  int wrong = 0;
  for (size_t i = 0; i < kLibraryThreads; ++i) {
    for (int part = 0; part < 2; ++part) {
      const double x = decode(type, half_of(a[i], part)), y = decode(type, half_of(b[i], part)),
                   z = decode(type, half_of(c[i], part));
      const auto* o = &got[i * stride];
      wrong += agrees(type, half_of(o[0], part), x + y) ? 0 : 1;
      wrong += agrees(type, half_of(o[1], part), x * y) ? 0 : 1;
      wrong += agrees(type, half_of(o[2], part), fused(x, y, z)) ? 0 : 1;
      const size_t converted = has_order ? 5 : 3;
      const float scaled = part == 0 ? static_cast<float>(x) * 3.0F : static_cast<float>(y) / 3.0F;
      wrong += agrees(type, half_of(o[converted], part), scaled) ? 0 : 1;
      if (!has_order) continue;
      const double larger = std::isnan(x) ? y : std::isnan(y) ? x : std::max(x, y);
      wrong += agrees(type, half_of(o[3], part), larger) ? 0 : 1;
      wrong += agrees(type, half_of(o[4], part), x - y) ? 0 : 1;
      wrong += half_of(o[6], part) == (half_of(a[i], part) ^ 0x8000) ? 0 : 1;
      const double smaller = std::isnan(x) || std::isnan(y) ? std::nan("") : std::min(x, y);
      wrong += agrees(type, half_of(o[7], part), smaller) ? 0 : 1;
    }
  }
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("packed f16 arithmetic rounds once", "[emulator][float]") {
  check_pairs(DType::f16, "halves", 8, true);
}
TEST_CASE("packed bf16 arithmetic rounds once", "[emulator][float]") {
  check_pairs(DType::bf16, "bfloats", 4, false);
}

TEST_CASE("conversions to and from 8-bit floats round to nearest and saturate",
          "[emulator][convert]") {
  Bench bench;
  std::mt19937 random(4);
  std::vector<float> in(kLibraryThreads * 2);
  for (size_t i = 0; i < in.size(); ++i)
    in[i] = std::ldexp(static_cast<float>(random() % 4001) / 1000.0F - 2.0F,
                       static_cast<int>(random() % 40) - 22);
  const auto bytes = bench.alloc(kLibraryThreads * 4), back = bench.alloc(kLibraryThreads * 16);
  bench.run(read_ptx("library.ptx"), "fp8", kLibraryGrid, kLibraryBlock,
            ArgumentBlock().pointer(bench.upload(in)).pointer(bytes).pointer(back));
  CHECK(bench.backend->take_report().clean());
  const auto got = bench.download<std::uint8_t>(bytes, kLibraryThreads * 4);
  const auto values = bench.download<float>(back, kLibraryThreads * 4);
  for (size_t i = 0; i < kLibraryThreads; ++i) {
    for (size_t part = 0; part < 2; ++part) {
      const float x = in[i * 2 + part];
      CHECK(got[i * 4 + part] == encode(DType::e4m3, x));
      CHECK(got[i * 4 + 2 + part] == encode(DType::e5m2, x));
      CHECK(values[i * 4 + part] == decode(DType::e4m3, got[i * 4 + part]));
      CHECK(values[i * 4 + 2 + part] == decode(DType::e5m2, got[i * 4 + 2 + part]));
    }
  }
}

TEST_CASE("the math library's functions come out within their error", "[emulator][float]") {
  Bench bench;
  std::mt19937 random(5);
  std::vector<float> in(kLibraryThreads);
  for (float& x : in) x = static_cast<float>(random() % 20001) / 1000.0F - 10.0F;
  const auto out = bench.alloc(kLibraryThreads * 12 * 4);
  bench.run(read_ptx("library.ptx"), "functions", kLibraryGrid, kLibraryBlock,
            ArgumentBlock().pointer(bench.upload(in)).pointer(out));
  const Report report = bench.backend->take_report();
  INFO(to_string(report));
  CHECK(report.clean());
  const auto got = bench.download<float>(out, kLibraryThreads * 12);
  for (size_t i = 0; i < kLibraryThreads; ++i) {
    const double x = in[i];
    const float far = in[i] * 100000.0F;
    const double want[12] = {std::sin(x),
                             std::cos(static_cast<double>(far)),
                             std::exp(x),
                             std::log(std::fabs(x)),
                             std::pow(std::fabs(x), static_cast<double>(1.7F)),
                             std::tanh(x),
                             std::erf(x),
                             1 / std::sqrt(std::fabs(x)),
                             std::exp(x),
                             std::cbrt(x),
                             std::fmod(x, static_cast<double>(0.37F)),
                             std::exp(x)};
    for (size_t f = 0; f < 12; ++f) {
      INFO("function " << f << " of " << x);
      if (std::isinf(want[f])) {
        CHECK(got[i * 12 + f] == static_cast<float>(want[f]));
      } else {
        // The largest error that CUDA states for these is 8 units in the last place.
        CHECK(std::fabs(got[i * 12 + f] - want[f]) <= 8 * 0x1p-23 * std::fabs(want[f]) + 0x1p-126);
      }
    }
  }
}

TEST_CASE("clocks go on and spaces of pointers are told apart", "[emulator][memory]") {
  Bench bench;
  const auto out = bench.alloc(kLibraryThreads * 8);
  bench.run(read_ptx("library.ptx"), "clocks", kLibraryGrid, kLibraryBlock,
            ArgumentBlock().pointer(out));
  CHECK(bench.backend->take_report().clean());
  for (const long long x : bench.download<long long>(out, kLibraryThreads)) CHECK(x == 1);
}
