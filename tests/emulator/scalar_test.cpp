// Kernels compiled by nvcc give what the same expressions give on the host.
#include "emulator/run_ptx.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>

using namespace jute;
using namespace jute::test;

namespace {

constexpr int kThreads = 256;
constexpr Dim3 kGrid{2, 1, 1};
constexpr Dim3 kBlock{128, 1, 1};

std::vector<int> random_ints(unsigned seed) {
  std::mt19937 random(seed);
  std::vector<int> values(kThreads);
  const std::vector<int> special{0,
                                 1,
                                 -1,
                                 2,
                                 31,
                                 32,
                                 33,
                                 std::numeric_limits<int>::min(),
                                 std::numeric_limits<int>::max(),
                                 255,
                                 256,
                                 -256};
  for (size_t i = 0; i < values.size(); ++i) {
    const auto bits = static_cast<int>(random());
    values[i] = i < special.size() * special.size()
                    ? special[(seed % 2 != 0 ? i : i / special.size()) % special.size()]
                : i % 3 == 0 ? bits >> 20
                             : bits;
  }
  return values;
}
std::vector<float> random_floats(unsigned seed) {
  std::mt19937 random(seed);
  const float inf = std::numeric_limits<float>::infinity();
  const std::vector<float> special{0.0F,          -0.0F,        1.0F,
                                   -1.0F,         inf,          -inf,
                                   0x1p-149F,     -0x1.8p-127F, std::numeric_limits<float>::max(),
                                   0x1p-126F,     1.5F,         2.5F,
                                   std::nanf(""), 3e9F,         -3e9F};
  std::vector<float> values(kThreads);
  for (size_t i = 0; i < values.size(); ++i) {
    const float unit = static_cast<float>(random() % 2000001) / 1e6F - 1.0F;
    values[i] = i < special.size() * special.size()
                    ? special[(seed % 2 != 0 ? i : i / special.size()) % special.size()]
                    : std::ldexp(unit, static_cast<int>(random() % 60) - 30);
  }
  return values;
}

std::uint32_t bits(float x) {
  return std::isnan(x) ? 0x7FFFFFFFU : std::bit_cast<std::uint32_t>(x);
}

float rounded(int mode, float (*f)(float, float, float), float a, float b, float c) {
  volatile float va = a, vb = b, vc = c;
  std::fesetround(mode);
  const volatile float result = f(va, vb, vc);
  std::fesetround(FE_TONEAREST);
  return result;
}
float add(float a, float b, float) { return a + b; }
float multiply(float a, float b, float) { return a * b; }
float quotient(float a, float b, float) { return a / b; }
float fused(float a, float b, float c) { return std::fma(a, b, c); }

template <class D, class S>
D saturated(S x) {
  if (std::isnan(x))
    return sizeof(D) == 8 || sizeof(S) == 8 ? static_cast<D>(1ULL << (sizeof(D) * 8 - 1)) : D(0);
  if (x >= static_cast<S>(std::numeric_limits<D>::max())) return std::numeric_limits<D>::max();
  if (x <= static_cast<S>(std::numeric_limits<D>::min())) return std::numeric_limits<D>::min();
  return static_cast<D>(x);
}

struct Inputs {
  Bench bench;
  std::string ptx = read_ptx("scalars.ptx");
};

}  // namespace

TEST_CASE("integer arithmetic of every width follows the ISA", "[emulator][integer]") {
  Inputs in;
  const auto a = random_ints(1), b = random_ints(2);
  const auto out = in.bench.alloc(kThreads * 24 * 4);
  in.bench.run(
      in.ptx, "integers", kGrid, kBlock,
      ArgumentBlock().pointer(in.bench.upload(a)).pointer(in.bench.upload(b)).pointer(out));
  CHECK(in.bench.backend->take_report().clean());
  const auto got = in.bench.download<int>(out, kThreads * 24);
  for (size_t i = 0; i < kThreads; ++i) {
    const int x = a[i], y = b[i];
    const auto ux = static_cast<unsigned>(x), uy = static_cast<unsigned>(y);
    const auto wrap = [](auto value) { return static_cast<int>(static_cast<unsigned>(value)); };
    const int* o = &got[i * 24];
    INFO("x = " << x << ", y = " << y);
    CHECK(o[0] == wrap(ux + uy));
    CHECK(o[1] == wrap(ux - uy));
    CHECK(o[2] == wrap(ux * uy));
    CHECK(o[3] == static_cast<int>((static_cast<long long>(x) * y) >> 32));
    CHECK(o[4] == wrap((static_cast<unsigned long long>(ux) * uy) >> 32));
    const long long divisor = y == -1 ? 3 : y;
    CHECK(o[5] == (y == 0 ? 7 : static_cast<int>(x / divisor)));
    CHECK(o[6] == (y == 0 ? 7 : static_cast<int>(x % divisor)));
    CHECK(o[7] == (uy == 0 ? 7 : wrap(ux / uy)));
    CHECK(o[8] == (uy == 0 ? 7 : wrap(ux % uy)));
    CHECK(o[9] == std::min(x, y));
    CHECK(o[10] == wrap(std::max(ux, uy)));
    CHECK(o[11] == wrap(x < 0 ? 0U - ux : ux));
    CHECK(o[12] == wrap(ux << (uy & 31)));
    CHECK(o[13] == x >> (y & 31));
    CHECK(o[14] == wrap(ux >> (uy & 31)));
    const int ffs = __builtin_ffs(x);
    CHECK(o[15] == std::popcount(ux) + 100 * std::countl_zero(ux) + 10000 * ffs);
    unsigned reversed = 0;
    for (int k = 0; k < 32; ++k) reversed |= ((ux >> k) & 1) << (31 - k);
    CHECK(o[16] == wrap(reversed));
    const unsigned bytes[8] = {ux & 255, (ux >> 8) & 255, (ux >> 16) & 255, ux >> 24,
                               uy & 255, (uy >> 8) & 255, (uy >> 16) & 255, uy >> 24};
    CHECK(o[17] == wrap(bytes[5] | bytes[7] << 8 | bytes[1] << 16 | bytes[3] << 24));
    const unsigned n = uy & 31;
    CHECK(o[18] == wrap(n == 0 ? uy : (uy << n) | (ux >> (32 - n))));
    const long long distance = static_cast<long long>(x) - y;
    CHECK(o[19] == wrap(static_cast<unsigned long long>(distance < 0 ? -distance : distance) + 5));
    CHECK(o[20] == ((x & y) | (~x ^ y)));
    long long dot = 11;
    for (int k = 0; k < 32; k += 8)
      dot += static_cast<signed char>(ux >> k) * static_cast<signed char>(uy >> k);
    CHECK(o[21] == static_cast<int>(dot));
    CHECK(o[22] == static_cast<int>((static_cast<long long>(x) * y) >> 17));
    CHECK(o[23] == static_cast<short>(x) + static_cast<signed char>(y) +
                       static_cast<unsigned char>(x) + static_cast<unsigned short>(y));
  }
}

TEST_CASE("64-bit integer arithmetic follows the ISA", "[emulator][integer]") {
  Inputs in;
  std::mt19937_64 random(3);
  std::vector<long long> a(kThreads), b(kThreads);
  for (size_t i = 0; i < kThreads; ++i) {
    a[i] = static_cast<long long>(random()) >> (i % 60);
    b[i] = i % 17 == 0 ? -1 : i % 19 == 0 ? 0 : static_cast<long long>(random()) >> (i * 7 % 60);
  }
  const auto out = in.bench.alloc(kThreads * 12 * 8);
  in.bench.run(
      in.ptx, "wide_integers", kGrid, kBlock,
      ArgumentBlock().pointer(in.bench.upload(a)).pointer(in.bench.upload(b)).pointer(out));
  const auto got = in.bench.download<long long>(out, kThreads * 12);
  for (size_t i = 0; i < kThreads; ++i) {
    using U = unsigned long long;
    const long long x = a[i], y = b[i];
    const auto ux = static_cast<U>(x), uy = static_cast<U>(y);
    const long long* o = &got[i * 12];
    INFO("x = " << x << ", y = " << y);
    CHECK(o[0] == static_cast<long long>(ux + uy));
    CHECK(o[1] == static_cast<long long>(ux * uy));
    CHECK(o[2] == static_cast<long long>((static_cast<__int128>(x) * y) >> 64));
    CHECK(o[3] == static_cast<long long>((static_cast<unsigned __int128>(ux) * uy) >> 64));
    CHECK(o[4] == (y == 0 ? 7 : x / (y == -1 ? 3 : y)));
    CHECK(o[5] == (uy == 0 ? 7 : static_cast<long long>(ux % uy)));
    CHECK(o[6] == static_cast<long long>(ux << (uy & 63)));
    CHECK(o[7] == x >> (y & 63));
    CHECK(o[8] == static_cast<long long>(ux >> (uy & 63)));
    CHECK(o[9] == std::popcount(ux) + 100 * std::countl_zero(ux) + 10000 * __builtin_ffsll(x));
    U reversed = 0;
    for (int k = 0; k < 64; ++k) reversed |= ((ux >> k) & 1) << (63 - k);
    CHECK(o[10] == static_cast<long long>(reversed));
    CHECK(o[11] == (x < y ? static_cast<long long>(std::min(ux, uy)) : std::max(x, y)));
  }
}

TEST_CASE("f32 arithmetic is bit exact in every rounding mode", "[emulator][float]") {
  Inputs in;
  const auto a = random_floats(1), b = random_floats(2), c = random_floats(5);
  const auto out = in.bench.alloc(kThreads * 20 * 4);
  in.bench.run(in.ptx, "floats", kGrid, kBlock,
               ArgumentBlock()
                   .pointer(in.bench.upload(a))
                   .pointer(in.bench.upload(b))
                   .pointer(in.bench.upload(c))
                   .pointer(out));
  const auto got = in.bench.download<float>(out, kThreads * 20);
  for (size_t i = 0; i < kThreads; ++i) {
    const float x = a[i], y = b[i], z = c[i];
    const float* o = &got[i * 20];
    INFO("x = " << x << ", y = " << y << ", z = " << z);
    CHECK(bits(o[0]) == bits(x + y));
    CHECK(bits(o[1]) == bits(x - y));
    CHECK(bits(o[2]) == bits(x * y));
    CHECK(bits(o[3]) == bits(std::fma(x, y, z)));
    CHECK(bits(o[4]) == bits(x / y));
    CHECK(bits(o[5]) == bits(std::sqrt(x)));
    CHECK(bits(o[6]) == bits(1 / x));
    CHECK(bits(o[7]) == bits(rounded(FE_TOWARDZERO, add, x, y, z)));
    CHECK(bits(o[8]) == bits(rounded(FE_DOWNWARD, add, x, y, z)));
    CHECK(bits(o[9]) == bits(rounded(FE_UPWARD, add, x, y, z)));
    CHECK(bits(o[10]) == bits(rounded(FE_TOWARDZERO, multiply, x, y, z)));
    CHECK(bits(o[11]) == bits(rounded(FE_TOWARDZERO, fused, x, y, z)));
    CHECK(bits(o[12]) == bits(rounded(FE_UPWARD, quotient, x, y, z)));
    const float low = std::isnan(x)   ? y
                      : std::isnan(y) ? x
                      : x == y        ? (std::signbit(x) ? x : y)
                                      : std::min(x, y);
    const float high = std::isnan(x)   ? y
                       : std::isnan(y) ? x
                       : x == y        ? (std::signbit(x) ? y : x)
                                       : std::max(x, y);
    CHECK(bits(o[13]) == bits(low));
    CHECK(bits(o[14]) == bits(high));
    CHECK(bits(o[15]) == bits(std::fabs(x)));
    CHECK(bits(o[16]) == bits(std::copysign(x, y)));
    CHECK(bits(o[17]) == bits(std::rint(x)));
    CHECK(bits(o[18]) == bits(std::trunc(x) + std::floor(y) + std::ceil(z)));
    CHECK(bits(o[19]) == bits(x > 0 ? std::min(x, 1.0F) : 0.0F));
  }
}

TEST_CASE("f64 arithmetic is bit exact", "[emulator][float]") {
  Inputs in;
  std::mt19937_64 random(9);
  std::vector<double> a(kThreads), b(kThreads), c(kThreads);
  for (auto* list : {&a, &b, &c})
    for (double& x : *list)
      x = std::ldexp(static_cast<double>(random()) / 9e18 - 1,
                     static_cast<int>(random() % 40) - 20);
  const auto out = in.bench.alloc(kThreads * 8 * 8);
  in.bench.run(in.ptx, "doubles", kGrid, kBlock,
               ArgumentBlock()
                   .pointer(in.bench.upload(a))
                   .pointer(in.bench.upload(b))
                   .pointer(in.bench.upload(c))
                   .pointer(out));
  const auto got = in.bench.download<double>(out, kThreads * 8);
  for (size_t i = 0; i < kThreads; ++i) {
    const double x = a[i], y = b[i], z = c[i];
    const double* o = &got[i * 8];
    CHECK(o[0] == x + y);
    CHECK(o[1] == x * y);
    CHECK(o[2] == std::fma(x, y, z));
    CHECK(o[3] == x / y);
    CHECK((x < 0 ? std::isnan(o[4]) : o[4] == std::sqrt(x)));
    CHECK(std::fabs(o[5]) <= std::fabs(x + y));
    CHECK(o[6] == std::min(x, y));
    CHECK(o[7] == std::rint(x));
  }
}

TEST_CASE("conversions between integers and floats saturate and round as the ISA says",
          "[emulator][convert]") {
  Inputs in;
  const auto a = random_floats(1);
  const auto n = random_ints(1);
  std::vector<double> d(kThreads);
  for (size_t i = 0; i < d.size(); ++i)
    d[i] = i % 5 == 0 ? 1e19 * (i % 2 ? 1 : -1) : static_cast<double>(a[i]) * 1.0000000123;
  const auto out = in.bench.alloc(kThreads * 16 * 8);
  in.bench.run(in.ptx, "conversions", kGrid, kBlock,
               ArgumentBlock()
                   .pointer(in.bench.upload(a))
                   .pointer(in.bench.upload(d))
                   .pointer(in.bench.upload(n))
                   .pointer(out));
  const auto got = in.bench.download<long long>(out, kThreads * 16);
  for (size_t i = 0; i < kThreads; ++i) {
    const float x = a[i];
    const double y = d[i];
    const int k = n[i];
    const long long* o = &got[i * 16];
    INFO("x = " << x << ", y = " << y << ", k = " << k);
    CHECK(o[0] == saturated<int>(std::trunc(x)));
    CHECK(o[1] == saturated<unsigned>(std::trunc(x)));
    CHECK(o[2] == saturated<long long>(std::trunc(x)));
    CHECK(static_cast<unsigned long long>(o[3]) == saturated<unsigned long long>(std::trunc(x)));
    CHECK(o[4] == saturated<int>(std::rint(x)));
    CHECK(o[5] == saturated<int>(std::floor(x)));
    CHECK(o[6] == saturated<int>(std::ceil(x)));
    CHECK(o[7] ==
          (std::isnan(y) ? std::numeric_limits<int>::min() : saturated<int>(std::trunc(y))));
    CHECK(o[8] == saturated<long long>(std::trunc(y)));
    // A NaN keeps the upper part of its payload.
    CHECK(static_cast<unsigned>(o[9]) == std::bit_cast<std::uint32_t>(static_cast<float>(y)));
    CHECK(o[11] == std::bit_cast<int>(static_cast<float>(k)));
    CHECK(std::fabs(std::bit_cast<float>(static_cast<int>(o[12]))) <=
          std::fabs(static_cast<double>(k)));
    CHECK(o[13] == std::bit_cast<long long>(static_cast<double>(k)));
    CHECK(o[14] == std::bit_cast<int>(static_cast<float>(static_cast<unsigned>(k))));
    CHECK(o[15] == static_cast<signed char>(k) + 256LL * static_cast<unsigned short>(k));
  }
}

TEST_CASE("divergent loops, switches and early returns end as on a scalar machine",
          "[emulator][control]") {
  Inputs in;
  const auto a = random_ints(4);
  const auto out = in.bench.alloc(kThreads * 4);
  in.bench.run(in.ptx, "control", kGrid, kBlock,
               ArgumentBlock().pointer(in.bench.upload(a)).pointer(out));
  CHECK(in.bench.backend->take_report().clean());
  const auto got = in.bench.download<int>(out, kThreads);
  for (size_t i = 0; i < kThreads; ++i) {
    const auto x = static_cast<unsigned>(a[i]);
    unsigned steps = 0, v = x % 97U + 1, sum = 0;
    while (v != 1 && steps < 500) v = (v & 1) != 0 ? 3 * v + 1 : v / 2, ++steps;
    for (unsigned j = 0; j < (x & 15); ++j) {
      if (j == 3) continue;
      if (j == 11) break;
      switch (j % 5) {
        case 0:
          sum += 1;
          break;
        case 1:
          sum += x;
          break;
        case 2:
          sum ^= 0x55;
          break;
        case 3:
          sum -= j;
          [[fallthrough]];
        default:
          sum *= 3;
      }
    }
    INFO("x = " << a[i]);
    CHECK(got[i] == ((x & 63) == 7 ? -1 : static_cast<int>(steps * 1000003 + sum)));
  }
}

TEST_CASE("device functions are called with their own registers and frames",
          "[emulator][control]") {
  Inputs in;
  const auto a = random_ints(6);
  const auto out = in.bench.alloc(kThreads * 4);
  in.bench.run(in.ptx, "calls", kGrid, kBlock,
               ArgumentBlock().pointer(in.bench.upload(a)).pointer(out));
  CHECK(in.bench.backend->take_report().clean());
  const auto got = in.bench.download<float>(out, kThreads);
  const auto mix = [](int p, int q) {
    return static_cast<int>(static_cast<unsigned>(p) * 31U + static_cast<unsigned>(q ^ (p >> 3)));
  };
  for (size_t i = 0; i < kThreads; ++i) {
    const int x = a[i];
    int v = mix(x, static_cast<int>(i));
    if ((x & 1) != 0) v = mix(v, x);
    float r = static_cast<float>(v & 255);
    for (int j = 0; j < (x & 7); ++j) {
      const volatile float product = r * 1.5F;
      r = product + 0.25F;
    }
    CHECK(got[i] == r);
  }
}

TEST_CASE("local arrays are private to a thread", "[emulator][memory]") {
  Inputs in;
  const auto a = random_ints(8);
  const auto out = in.bench.alloc(kThreads * 4);
  in.bench.run(in.ptx, "locals", kGrid, kBlock,
               ArgumentBlock().pointer(in.bench.upload(a)).pointer(out));
  CHECK(in.bench.backend->take_report().clean());
  const auto got = in.bench.download<int>(out, kThreads);
  for (size_t i = 0; i < kThreads; ++i) {
    unsigned history[16];
    for (unsigned j = 0; j < 16; ++j) history[j] = static_cast<unsigned>(a[i]) + j * j;
    unsigned at = static_cast<unsigned>(a[i]) & 15, sum = 0;
    for (unsigned j = 0; j < 16; ++j) {
      sum = sum * 7 + history[at];
      history[at] += j;
      at = (at * 5 + 3) & 15;
    }
    CHECK(got[i] == static_cast<int>(sum));
  }
}

TEST_CASE("shuffles, votes, matches and reductions see the lanes of their mask",
          "[emulator][warp]") {
  Inputs in;
  const auto a = random_ints(11);
  const auto out = in.bench.alloc(kThreads * 12 * 4);
  in.bench.run(in.ptx, "warps", kGrid, kBlock,
               ArgumentBlock().pointer(in.bench.upload(a)).pointer(out));
  CHECK(in.bench.backend->take_report().clean());
  const auto got = in.bench.download<int>(out, kThreads * 12);
  for (size_t i = 0; i < kThreads; ++i) {
    const size_t lane = i % 32;
    const int* w = &a[i - lane];
    const int* o = &got[i * 12];
    unsigned sum = 0, ballot = 0, same = 0, odd_sum = 0, even_xor = 0;
    bool any = false, all = true, signs = true;
    int largest = w[0];
    for (size_t l = 0; l < 32; ++l) {
      sum += static_cast<unsigned>(w[l]);
      ballot |= static_cast<unsigned>(w[l] & 1) << l;
      same |= static_cast<unsigned>((w[l] & 3) == (a[i] & 3)) << l;
      any |= w[l] == 12345;
      all &= w[l] > -2000000000;
      signs &= (w[l] >> 31) == (w[0] >> 31);
      largest = std::max(largest, w[l]);
      if (l % 2 == 0) even_xor ^= static_cast<unsigned>(w[l]);
    }
    const size_t partner = lane ^ 2;
    for (size_t j = 0; j < partner; ++j)
      odd_sum += static_cast<unsigned>(j) * static_cast<unsigned>(w[partner]);
    CHECK(o[0] == static_cast<int>(sum));
    CHECK(o[1] == (lane < 3 ? a[i] : w[lane - 3]));
    CHECK(o[2] == (lane % 16 + 5 > 15 ? a[i] : w[lane + 5]));
    CHECK(o[3] == w[(lane & 24) | (lane * 7 & 7)]);
    CHECK(o[4] == static_cast<int>(ballot));
    CHECK(o[5] == any * 2 + all);
    CHECK(o[6] == static_cast<int>(same));
    CHECK(o[7] == (signs ? -1 : 0));
    CHECK(o[8] == static_cast<int>(signs));
    CHECK(o[9] == static_cast<int>(sum));
    CHECK(o[10] == largest);
    CHECK(o[11] == static_cast<int>(lane % 2 == 1 ? odd_sum : even_xor));
  }
}

TEST_CASE("barriers, static and dynamic shared memory and barrier reductions work together",
          "[emulator][barrier]") {
  Inputs in;
  constexpr int kCount = 1000;
  std::vector<int> a(4 * kCount);
  std::iota(a.begin(), a.end(), -77);
  const auto out = in.bench.alloc(4 * 4);
  in.bench.run(in.ptx, "block_sum", {4, 1, 1}, {256, 1, 1},
               ArgumentBlock().pointer(in.bench.upload(a)).pointer(out).i32(kCount), 256 * 4);
  CHECK(in.bench.backend->take_report().clean());
  const auto got = in.bench.download<int>(out, 4);
  for (int block = 0; block < 4; ++block)
    CHECK(got[static_cast<size_t>(block)] ==
          std::accumulate(a.begin() + block * kCount, a.begin() + (block + 1) * kCount, 0) + 256 +
              1);
}

TEST_CASE("atomics give the sums of all blocks, and lanes of a warp may fight for a lock",
          "[emulator][atomic]") {
  Inputs in;
  const auto a = random_ints(12);
  const auto out = in.bench.upload(std::vector<int>(11, 0));
  const auto total = in.bench.upload(std::vector<float>{0});
  const auto wide = in.bench.upload(std::vector<unsigned long long>{0});
  in.bench.run(
      in.ptx, "atomics", kGrid, kBlock,
      ArgumentBlock().pointer(in.bench.upload(a)).pointer(out).pointer(total).pointer(wide));
  CHECK(in.bench.backend->take_report().clean());
  const auto got = in.bench.download<int>(out, 11);
  int counts[4] = {}, least = 0, ors = 0, xors = 0;
  unsigned most = 0, turns = 0;
  float sum = 0;
  unsigned long long wide_sum = 0;
  for (const int x : a) {
    ++counts[x & 3];
    least = std::min(least, x);
    most = std::max(most, static_cast<unsigned>(x));
    ors |= static_cast<int>(1U << (x & 31));
    xors ^= x;
    sum += static_cast<float>(x & 7);
    wide_sum += static_cast<unsigned long long>(static_cast<long long>(x));
    turns = turns * 3 + 1;
  }
  for (size_t i = 0; i < 4; ++i) CHECK(got[i] == counts[i]);
  CHECK(got[4] == least);
  CHECK(static_cast<unsigned>(got[5]) == most);
  CHECK(got[6] == ors);
  CHECK(got[7] == xors);
  CHECK(got[8] == kThreads % 10);
  CHECK(got[9] == 0);
  CHECK(static_cast<unsigned>(got[10]) == turns);
  CHECK(in.bench.download<float>(total, 1)[0] == sum);
  CHECK(in.bench.download<unsigned long long>(wide, 1)[0] == wide_sum);
}

TEST_CASE("module variables hold their initial data, pointers included", "[emulator][memory]") {
  Inputs in;
  const auto out = in.bench.alloc(kThreads * 4);
  in.bench.run(in.ptx, "variables", kGrid, kBlock, ArgumentBlock().pointer(out));
  CHECK(in.bench.backend->take_report().clean());
  const auto got = in.bench.download<int>(out, kThreads);
  const int table[8] = {3, 1, 4, 1, 5, 9, 2, 6};
  for (size_t i = 0; i < kThreads; ++i) CHECK(got[i] == table[i & 7] + 40);
}

TEST_CASE("the classic tiled GEMM gives the fused sums in order", "[emulator][gemm]") {
  Bench bench;
  constexpr int kSize = 256;
  std::mt19937 random(1);
  std::vector<float> a(kSize * kSize), b(kSize * kSize);
  for (auto* list : {&a, &b})
    for (float& x : *list) x = static_cast<float>(random() % 2001) / 1000.0F - 1.0F;
  const auto c = bench.alloc(kSize * kSize * 4);
  bench.run(read_ptx("tiled_gemm.ptx"), "tiled_gemm", {2, 2, 1}, {256, 1, 1},
            ArgumentBlock()
                .pointer(bench.upload(a))
                .pointer(bench.upload(b))
                .pointer(c)
                .i32(kSize)
                .i32(kSize));
  const Report report = bench.backend->take_report();
  CHECK(report.clean());
  const auto got = bench.download<float>(c, kSize * kSize);
  int wrong = 0;
  for (size_t m = 0; m < kSize; ++m) {
    for (size_t n = 0; n < kSize; ++n) {
      float sum = 0;
      for (size_t k = 0; k < kSize; ++k) sum = std::fma(a[m * kSize + k], b[k * kSize + n], sum);
      wrong += got[m * kSize + n] != sum ? 1 : 0;
    }
  }
  CHECK(wrong == 0);
}
