// mma.sync of every shape against exact sums, and against the aligned truncation model written
// again with 128-bit integers.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <random>

#include "emulator/run_ptx.hpp"
#include "support/catch.hpp"

using namespace jute;
using namespace jute::test;

namespace {

/// One warp loads its fragments word by word, executes `opcode` once and stores D.
std::string mma_kernel(const std::string& opcode, int a, int b, int c, bool wide = false,
                       const std::string& target = "sm_90a") {
  const std::string bits = wide ? "64" : "32";
  const int bytes = wide ? 8 : 4;
  std::string text = ".version 8.7\n.target " + target + "\n.address_size 64\n";
  text += ".visible .entry k(.param .u64 pa, .param .u64 pb, .param .u64 pc, .param .u64 pd)\n{\n";
  text += ".reg .b" + bits + " a<8>, b<8>, c<8>, d<8>;\n.reg .b64 %rd<9>;\n.reg .b32 %r<4>;\n";
  text += "mov.u32 %r0, %tid.x;\n";
  const auto list = [](char name, int count) {
    std::string items = "{";
    for (int i = 0; i < count; ++i)
      items += (i > 0 ? "," : "") + std::string(1, name) + std::to_string(i);
    return items + "}";
  };
  const std::pair<char, int> operands[] = {{'a', a}, {'b', b}, {'c', c}};
  for (const auto& [name, count] : operands) {
    text += "ld.param.u64 %rd1, [p" + std::string(1, name) + "];\n";
    text += "mul.wide.u32 %rd2, %r0, " + std::to_string(count * bytes) +
            ";\nadd.s64 %rd1, %rd1, %rd2;\n";
    for (int i = 0; i < count; ++i)
      text += "ld.global.b" + bits + " " + name + std::to_string(i) + ", [%rd1+" +
              std::to_string(i * bytes) + "];\n";
  }
  text += opcode + " " + list('d', c) + ", " + list('a', a) + ", " + list('b', b) + ", " +
          list('c', c) + ";\n";
  text += "ld.param.u64 %rd1, [pd];\nmul.wide.u32 %rd2, %r0, " + std::to_string(c * bytes) +
          ";\nadd.s64 %rd1, %rd1, %rd2;\n";
  for (int i = 0; i < c; ++i)
    text += "st.global.b" + bits + " [%rd1+" + std::to_string(i * bytes) + "], d" +
            std::to_string(i) + ";\n";
  return text + "ret;\n}\n";
}

template <class Word>
std::vector<Word> run_mma(const std::string& ptx, const std::vector<Word>& a,
                          const std::vector<Word>& b, const std::vector<Word>& c) {
  Bench bench;
  const auto d = bench.alloc(c.size() * sizeof(Word));
  bench.run(ptx, "k", {1, 1, 1}, {32, 1, 1},
            ArgumentBlock()
                .pointer(bench.upload(a))
                .pointer(bench.upload(b))
                .pointer(bench.upload(c))
                .pointer(d));
  CHECK(bench.backend->take_report().clean());
  return bench.download<Word>(d, c.size());
}

struct Format {
  int exponent_bits, mantissa_bits;
};
constexpr Format kF16{5, 10}, kBf16{8, 7}, kTf32{8, 10}, kF32{8, 23};

double decode_bits(std::uint32_t bits, Format f) {
  const int exponent = static_cast<int>((bits >> f.mantissa_bits) & ((1U << f.exponent_bits) - 1));
  const double fraction = bits & ((1U << f.mantissa_bits) - 1);
  const int bias = (1 << (f.exponent_bits - 1)) - 1;
  const double magnitude = exponent == 0 ? std::ldexp(fraction, 1 - bias - f.mantissa_bits)
                                         : std::ldexp(fraction + (1 << f.mantissa_bits),
                                                      exponent - bias - f.mantissa_bits);
  return ((bits >> (f.exponent_bits + f.mantissa_bits)) & 1) != 0 ? -magnitude : magnitude;
}
int encoded_exponent(std::uint32_t bits, Format f) {
  const int exponent = static_cast<int>((bits >> f.mantissa_bits) & ((1U << f.exponent_bits) - 1));
  return std::max(exponent, 1) - ((1 << (f.exponent_bits - 1)) - 1);
}

/// The measured model: every product and C truncated toward zero to 2^(e_max - 25), exact sum,
/// truncated to f32.
float model(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b, Format f,
            float c) {
  int most = -100000;
  const auto c_bits = std::bit_cast<std::uint32_t>(c);
  if (c != 0) most = encoded_exponent(c_bits, kF32);
  for (size_t k = 0; k < a.size(); ++k)
    if (decode_bits(a[k], f) != 0 && decode_bits(b[k], f) != 0)
      most = std::max(most, encoded_exponent(a[k], f) + encoded_exponent(b[k], f));
  if (most == -100000) return 0;
  const auto quanta = [&](double value) { return std::trunc(std::ldexp(value, 25 - most)); };
  double sum = quanta(c);
  for (size_t k = 0; k < a.size(); ++k) sum += quanta(decode_bits(a[k], f) * decode_bits(b[k], f));
  const double exact = std::ldexp(sum, most - 25);
  float result = static_cast<float>(exact);
  if (std::fabs(static_cast<double>(result)) > std::fabs(exact))
    result = std::nextafter(result, 0.0F);
  return result == 0 ? 0.0F : result;
}

struct Case16 {
  const char* opcode;
  int k, a, b;
  Format format;
};

std::uint32_t random_bits(std::mt19937& random, Format f, int spread) {
  const int bias = (1 << (f.exponent_bits - 1)) - 1;
  int exponent = bias + static_cast<int>(random() % static_cast<unsigned>(2 * spread + 1)) - spread;
  exponent = std::clamp(exponent, 0, 2 * bias);
  if (random() % 11 == 0)
    return static_cast<std::uint32_t>(random() % 2) << (f.exponent_bits + f.mantissa_bits);
  return static_cast<std::uint32_t>(random() % 2) << (f.exponent_bits + f.mantissa_bits) |
         static_cast<std::uint32_t>(exponent) << f.mantissa_bits |
         static_cast<std::uint32_t>(random() & ((1U << f.mantissa_bits) - 1));
}

}  // namespace

TEST_CASE("f32 accumulation aligns to the largest exponent and truncates, bit for bit",
          "[emulator][mma]") {
  const Case16 cases[] = {
      {"mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", 16, 4, 2, kBf16},
      {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", 16, 4, 2, kF16},
      {"mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32", 8, 2, 1, kBf16},
      {"mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32", 8, 2, 1, kF16},
      {"mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", 8, 4, 2, kTf32},
      {"mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32", 4, 2, 1, kTf32},
  };
  std::mt19937 random(5);
  for (const Case16& test : cases) {
    for (const int spread : {0, 3, 14, 40}) {
      const bool is_tf32 = test.format.exponent_bits == 8 && test.format.mantissa_bits == 10;
      const auto k_count = static_cast<size_t>(test.k);
      std::vector<std::uint32_t> a(16 * k_count), b(8 * k_count);
      for (auto* list : {&a, &b})
        for (auto& x : *list) x = random_bits(random, test.format, spread);
      std::vector<float> c(16 * 8);
      for (float& x : c)
        x = random() % 4 == 0 ? 0.0F : std::bit_cast<float>(random_bits(random, kF32, spread));
      // Fragments as the ISA draws them: register r of lane l, elements from low to high.
      std::vector<std::uint32_t> ra(32 * static_cast<size_t>(test.a)),
          rb(32 * static_cast<size_t>(test.b)), rc(32 * 4);
      for (size_t lane = 0; lane < 32; ++lane) {
        const size_t group = lane / 4, in_group = lane % 4;
        for (size_t r = 0; r < static_cast<size_t>(test.a); ++r) {
          const size_t row = group + (r % 2) * 8;
          std::uint32_t& word = ra[lane * static_cast<size_t>(test.a) + r];
          if (is_tf32) {
            word = a[row * k_count + in_group + (r / 2) * 4] << 13 | (random() & 0x1FFF);
          } else {
            const size_t k = in_group * 2 + (r / 2) * 8;
            word = a[row * k_count + k] | a[row * k_count + k + 1] << 16;
          }
        }
        for (size_t r = 0; r < static_cast<size_t>(test.b); ++r) {
          std::uint32_t& word = rb[lane * static_cast<size_t>(test.b) + r];
          if (is_tf32) {
            word = b[group * k_count + in_group + r * 4] << 13;
          } else {
            const size_t k = in_group * 2 + r * 8;
            word = b[group * k_count + k] | b[group * k_count + k + 1] << 16;
          }
        }
        for (size_t i = 0; i < 4; ++i)
          rc[lane * 4 + i] =
              std::bit_cast<std::uint32_t>(c[(group + i / 2 * 8) * 8 + in_group * 2 + i % 2]);
      }
      const auto d = run_mma(mma_kernel(test.opcode, test.a, test.b, 4), ra, rb, rc);
      int wrong = 0;
      for (size_t lane = 0; lane < 32; ++lane) {
        for (size_t i = 0; i < 4; ++i) {
          const size_t row = lane / 4 + i / 2 * 8, column = lane % 4 * 2 + i % 2;
          const std::vector<std::uint32_t> x(
              a.begin() + static_cast<std::ptrdiff_t>(row * k_count),
              a.begin() + static_cast<std::ptrdiff_t>((row + 1) * k_count));
          const std::vector<std::uint32_t> y(
              b.begin() + static_cast<std::ptrdiff_t>(column * k_count),
              b.begin() + static_cast<std::ptrdiff_t>((column + 1) * k_count));
          const float want = model(x, y, test.format, c[row * 8 + column]);
          wrong += std::bit_cast<std::uint32_t>(want) != d[lane * 4 + i] ? 1 : 0;
        }
      }
      INFO(test.opcode << ", exponents spread over " << spread);
      CHECK(wrong == 0);
    }
  }
}

TEST_CASE("infinities and NaNs of operands decide the sum", "[emulator][mma]") {
  std::vector<std::uint32_t> a(32 * 4, 0x3F803F80U), b(32 * 2, 0x3F803F80U), c(32 * 4, 0);
  a[0] = 0x3F807F80U;       // row 0: +Inf at k = 0
  a[4 * 4] = 0x3F807FC0U;   // row 1: NaN
  a[8 * 4] = 0xFF807F80U;   // row 2: +Inf and -Inf
  a[12 * 4] = 0x3F800000U;  // row 3: 0 at k = 0
  b[4 * 2] = 0x3F807F80U;   // column 1: +Inf at k = 0
  const auto d =
      run_mma(mma_kernel("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", 4, 2, 4), a, b, c);
  CHECK(d[0] == 0x7F800000U);
  CHECK(d[4 * 4] == 0x7FFFFFFFU);
  CHECK(d[8 * 4] == 0x7FFFFFFFU);
  CHECK(d[12 * 4] == std::bit_cast<std::uint32_t>(15.0F));
  CHECK(d[12 * 4 + 1] == 0x7FFFFFFFU);  // 0 * Inf
  CHECK(d[16 * 4 + 1] == 0x7F800000U);
  CHECK(d[16 * 4] == std::bit_cast<std::uint32_t>(16.0F));
}

TEST_CASE("integer products are exact, wrap, or saturate when asked", "[emulator][mma]") {
  std::mt19937 random(7);
  struct Case {
    const char* types;
    int m, k, bits;
    bool a_signed, b_signed;
  };
  const Case cases[] = {{"s8.s8", 16, 32, 8, true, true},   {"u8.s8", 16, 32, 8, false, true},
                        {"u8.u8", 16, 16, 8, false, false}, {"s8.u8", 8, 16, 8, true, false},
                        {"s4.s4", 16, 64, 4, true, true},   {"u4.s4", 16, 32, 4, false, true},
                        {"u4.u4", 8, 32, 4, false, false}};
  for (const Case& test : cases) {
    for (const bool saturates : {false, true}) {
      const auto m = static_cast<size_t>(test.m), k = static_cast<size_t>(test.k);
      const auto per = static_cast<size_t>(32 / test.bits);
      const size_t na = m * k / per / 32, nb = 8 * k / per / 32, nc = m / 4;
      std::vector<std::uint32_t> a(32 * na), b(32 * nb), c(32 * nc);
      for (auto* list : {&a, &b})
        for (auto& x : *list) x = static_cast<std::uint32_t>(random());
      for (auto& x : c) x = random() % 2 == 0 ? 0x7FFFFFF0U : static_cast<std::uint32_t>(random());
      const std::string opcode = "mma.sync.aligned.m" + std::to_string(m) + "n8k" +
                                 std::to_string(k) + ".row.col" + (saturates ? ".satfinite" : "") +
                                 ".s32." + test.types + ".s32";
      const auto d = run_mma(
          mma_kernel(opcode, static_cast<int>(na), static_cast<int>(nb), static_cast<int>(nc)), a,
          b, c);
      const auto element = [&](const std::vector<std::uint32_t>& words, size_t count, size_t row,
                               size_t column, bool rows, bool is_signed) {
        // Registers alternate between the row halves of A; each covers 4 lanes of `per` elements.
        const size_t lane = row % 8 * 4 + column % (4 * per) / per;
        const size_t step = column / (4 * per);
        const size_t reg = rows && m == 16 ? row / 8 + 2 * step : step;
        const std::uint32_t bits =
            words[lane * count + reg] >> (column % per * static_cast<size_t>(test.bits)) &
            ((1U << test.bits) - 1);
        const bool negative = is_signed && (bits >> (test.bits - 1)) != 0;
        return static_cast<std::int64_t>(bits) - (negative ? std::int64_t{1} << test.bits : 0);
      };
      int wrong = 0;
      for (size_t lane = 0; lane < 32; ++lane) {
        for (size_t i = 0; i < nc; ++i) {
          const size_t row = lane / 4 + i / 2 * 8, column = lane % 4 * 2 + i % 2;
          std::int64_t sum = static_cast<std::int32_t>(c[lane * nc + i]);
          for (size_t at = 0; at < k; ++at)
            sum += element(a, na, row, at, true, test.a_signed) *
                   element(b, nb, column, at, false, test.b_signed);
          if (saturates) sum = std::clamp<std::int64_t>(sum, INT32_MIN, INT32_MAX);
          wrong += static_cast<std::uint32_t>(sum) != d[lane * nc + i] ? 1 : 0;
        }
      }
      INFO(opcode);
      CHECK(wrong == 0);
    }
  }
}

TEST_CASE("single-bit products count ones", "[emulator][mma]") {
  std::mt19937 random(8);
  std::vector<std::uint32_t> a(32 * 4), b(32 * 2), c(32 * 4, 5);
  for (auto* list : {&a, &b})
    for (auto& x : *list) x = static_cast<std::uint32_t>(random());
  const auto d = run_mma(
      mma_kernel("mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc", 4, 2, 4), a, b, c);
  for (size_t lane = 0; lane < 32; ++lane) {
    for (size_t i = 0; i < 4; ++i) {
      const size_t row = lane / 4, half = i / 2, column = lane % 4 * 2 + i % 2;
      int count = 5;
      for (size_t t = 0; t < 4; ++t)
        for (size_t step = 0; step < 2; ++step)
          count += std::popcount(a[(row * 4 + t) * 4 + half + 2 * step] &
                                 b[(column * 4 + t) * 2 + step]);
      CHECK(d[lane * 4 + i] == static_cast<std::uint32_t>(count));
    }
  }
}

TEST_CASE("f64 shapes are chains of fused multiply-adds from C", "[emulator][mma]") {
  std::mt19937 random(9);
  for (const auto& [m, k] : {std::pair<size_t, size_t>{8, 4}, {16, 4}, {16, 8}, {16, 16}}) {
    const size_t na = m * k / 32, nb = k / 4, nc = m / 4;
    std::vector<double> a(32 * na), b(32 * nb), c(32 * nc);
    for (auto* list : {&a, &b, &c})
      for (double& x : *list) x = static_cast<double>(random()) / 1e9 - 2;
    const std::string opcode = "mma.sync.aligned.m" + std::to_string(m) + "n8k" +
                               std::to_string(k) + ".row.col.f64.f64.f64.f64";
    const auto d = run_mma(
        mma_kernel(opcode, static_cast<int>(na), static_cast<int>(nb), static_cast<int>(nc), true),
        a, b, c);
    for (size_t lane = 0; lane < 32; ++lane) {
      for (size_t i = 0; i < nc; ++i) {
        const size_t row = lane / 4, half = i / 2, column = lane % 4 * 2 + i % 2;
        double sum = c[lane * nc + i];
        for (size_t at = 0; at < k; ++at) {
          const size_t reg = m == 16 ? half + 2 * (at / 4) : at / 4;
          sum = std::fma(a[(row * 4 + at % 4) * na + reg], b[(column * 4 + at % 4) * nb + at / 4],
                         sum);
        }
        CHECK(d[lane * nc + i] == sum);
      }
    }
  }
}

TEST_CASE("fp8 runs as two f16 steps from zero and adds C last", "[emulator][mma]") {
  std::mt19937 random(10);
  const auto value = [](std::uint32_t byte, bool e4m3) {
    const std::uint32_t magnitude = byte & 0x7F;
    const int mantissa = e4m3 ? 3 : 2, bias = e4m3 ? 7 : 15;
    const int exponent = static_cast<int>(magnitude >> mantissa);
    const double fraction = magnitude & ((1U << mantissa) - 1);
    const double x = exponent == 0
                         ? std::ldexp(fraction, 1 - bias - mantissa)
                         : std::ldexp(fraction + (1 << mantissa), exponent - bias - mantissa);
    return (byte & 0x80) != 0 ? -x : x;
  };
  const auto half_bits = [](double x) {
    if (x == 0) return 0U;
    const std::uint32_t sign = x < 0 ? 0x8000U : 0U;
    const double magnitude = std::fabs(x);
    const int exponent = std::max(std::ilogb(magnitude), -14);
    const auto steps = static_cast<std::uint32_t>(std::ldexp(magnitude, 10 - exponent));
    return sign | ((static_cast<std::uint32_t>(exponent + 14) << 10) + steps);
  };
  for (const auto& [k, e4m3] : {std::pair(32U, true), {32U, false}, {16U, true}, {16U, false}}) {
    const size_t na = k / 8, nb = k / 16;
    std::vector<std::uint32_t> a(32 * na), b(32 * nb), c(32 * 4);
    for (auto* list : {&a, &b})
      for (auto& x : *list) x = static_cast<std::uint32_t>(random()) & 0xBBBBBBBBU;
    for (auto& x : c) x = std::bit_cast<std::uint32_t>(static_cast<float>(random() % 1000) / 7);
    const std::string type = e4m3 ? "e4m3" : "e5m2";
    const auto d =
        run_mma(mma_kernel("mma.sync.aligned.m16n8k" + std::to_string(k) + ".row.col.f32." + type +
                               "." + type + ".f32",
                           static_cast<int>(na), static_cast<int>(nb), 4, false, "sm_89"),
                a, b, c);
    int wrong = 0;
    for (size_t lane = 0; lane < 32; ++lane) {
      for (size_t i = 0; i < 4; ++i) {
        const size_t row = lane / 4, half = i / 2, column = lane % 4 * 2 + i % 2;
        float sum = 0;
        for (size_t phase = 0; phase < 2; ++phase) {
          std::vector<std::uint32_t> x, y;
          for (size_t at = 0; at < k; ++at) {
            if (at % 4 / 2 != phase) continue;
            const size_t t = at % 16 / 4, step = at / 16, byte = at % 4;
            x.push_back(half_bits(
                value(a[(row * 4 + t) * na + half + 2 * step] >> (8 * byte) & 0xFF, e4m3)));
            y.push_back(
                half_bits(value(b[(column * 4 + t) * nb + step] >> (8 * byte) & 0xFF, e4m3)));
          }
          sum = model(x, y, kF16, sum);
        }
        const float want = sum + std::bit_cast<float>(c[lane * 4 + i]);
        wrong += std::bit_cast<std::uint32_t>(want) != d[lane * 4 + i] ? 1 : 0;
      }
    }
    INFO(type << " " << k);
    CHECK(wrong == 0);
  }
}

TEST_CASE("a shape that its types do not have is refused with its place",
          "[emulator][mma][refusal]") {
  Bench bench;
  try {
    (void)bench.backend->load(
        binary_from_ptx(mma_kernel("mma.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32", 4, 2, 4)));
    FAIL("the text was taken");
  } catch (const Exception& exception) {
    CHECK(exception.error().code == ErrorCode::bad_file);
    CHECK(exception.error().value == "mma.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32");
    REQUIRE(exception.error().position);
    CHECK(exception.error().position->column == 1);
  }
}
