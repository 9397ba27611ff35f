// wmma of every shape and type gives the product of the matrices in memory, whichever way they lie.
#include "emulator/run_ptx.hpp"
#include "support/catch.hpp"

#include <bit>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

using namespace jute;
using namespace jute::test;

namespace {

/// Small whole numbers as an element type stores them.
struct Element {
  const char* name;
  size_t bytes;
  int least, most;
  std::uint64_t (*encode)(int);
};
std::uint64_t half_of(int x) {
  if (x == 0) return 0;
  const auto magnitude = static_cast<unsigned>(std::abs(x));
  const auto exponent = static_cast<unsigned>(std::bit_width(magnitude)) - 1;
  return (x < 0 ? 0x8000U : 0U) | ((exponent + 15) << 10) |
         ((magnitude << (10 - exponent)) & 0x3FF);
}
std::uint64_t float_of(int x) { return std::bit_cast<std::uint32_t>(static_cast<float>(x)); }
std::uint64_t bf16_of(int x) { return float_of(x) >> 16; }
std::uint64_t double_of(int x) { return std::bit_cast<std::uint64_t>(static_cast<double>(x)); }
std::uint64_t integer_of(int x) { return static_cast<std::uint32_t>(x); }

constexpr Element kHalf{"half", 2, -4, 4, half_of};
constexpr Element kBf16Element{"bf16", 2, -9, 9, bf16_of};
constexpr Element kFloat{"float", 4, -99, 99, float_of};
constexpr Element kDouble{"double", 8, -99, 99, double_of};
constexpr Element kInt{"int", 4, -99, 99, integer_of};
constexpr Element kS8{"s8", 1, -128, 127, integer_of};
constexpr Element kU8{"u8", 1, 0, 255, integer_of};

std::vector<std::byte> encoded(const std::vector<int>& values, const Element& element) {
  std::vector<std::byte> bytes;
  for (const int value : values)
    for (size_t i = 0; i < element.bytes; ++i)
      bytes.push_back(static_cast<std::byte>(element.encode(value) >> (8 * i)));
  return bytes;
}
std::vector<int> random_values(std::mt19937& random, size_t count, const Element& element) {
  std::vector<int> values(count);
  const auto range = static_cast<unsigned>(element.most - element.least + 1);
  for (int& value : values) value = element.least + static_cast<int>(random() % range);
  return values;
}

struct WmmaForm {
  std::string kernel;
  size_t m, n, k;
  Element input, sum;
  bool a_rows, b_rows;
};

/// 2 (A B + C), as the kernels compute it.
void check_product(Bench& bench, const std::string& ptx, const WmmaForm& form, unsigned seed) {
  std::mt19937 random(seed);
  const Element narrow{"", 0, -8, 8, nullptr};
  const auto a = random_values(random, form.m * form.k, form.input);
  const auto b = random_values(random, form.k * form.n, form.input);
  auto c = random_values(random, form.m * form.n, narrow);
  const auto upload = [&](const std::vector<int>& values, const Element& element) {
    return bench.upload(encoded(values, element));
  };
  const DevicePointer result = upload(c, form.sum);
  bench.run(ptx, form.kernel, {}, {32, 1, 1},
            ArgumentBlock()
                .pointer(upload(a, form.input))
                .pointer(upload(b, form.input))
                .pointer(result));
  for (size_t i = 0; i < form.m; ++i) {
    for (size_t j = 0; j < form.n; ++j) {
      int& sum = c[i * form.n + j];
      for (size_t k = 0; k < form.k; ++k)
        sum += a[form.a_rows ? i * form.k + k : k * form.m + i] *
               b[form.b_rows ? k * form.n + j : j * form.k + k];
      sum *= 2;
    }
  }
  INFO(form.kernel);
  CHECK(bench.backend->take_report().clean());
  CHECK(bench.download<std::byte>(result, c.size() * form.sum.bytes) == encoded(c, form.sum));
}

std::vector<WmmaForm> all_forms() {
  std::vector<WmmaForm> forms;
  for (const auto& [input, sum] : {std::pair{kHalf, kFloat},
                                   {kHalf, kHalf},
                                   {kBf16Element, kFloat},
                                   {kS8, kInt},
                                   {kU8, kInt}}) {
    const std::string stem = std::string(input.name) + "_" + sum.name + "_";
    forms.push_back({stem + "16x16x16_rc", 16, 16, 16, input, sum, true, false});
    forms.push_back({stem + "16x16x16_cr", 16, 16, 16, input, sum, false, true});
    forms.push_back({stem + "32x8x16_rr", 32, 8, 16, input, sum, true, true});
    forms.push_back({stem + "8x32x16_rc", 8, 32, 16, input, sum, true, false});
    forms.push_back({stem + "8x32x16_cr", 8, 32, 16, input, sum, false, true});
  }
  forms.push_back({"tf32_float_16x16x8_rc", 16, 16, 8, kFloat, kFloat, true, false});
  forms.push_back({"double_double_8x8x4_rc", 8, 8, 4, kDouble, kDouble, true, false});
  forms.push_back({"double_double_8x8x4_cr", 8, 8, 4, kDouble, kDouble, false, true});
  return forms;
}

}  // namespace

TEST_CASE("wmma multiplies what lies in memory", "[emulator][wmma]") {
  Bench bench({.device = {}, .check = Check::full});
  const std::string ptx = read_ptx("wmma.ptx");
  unsigned seed = 0;
  for (const WmmaForm& form : all_forms()) check_product(bench, ptx, form, ++seed);
}

TEST_CASE("wmma multiplies numbers of less than a byte", "[emulator][wmma]") {
  Bench bench({.device = {}, .check = Check::full});
  const std::string ptx = read_ptx("wmma.ptx");
  std::mt19937 random(5);
  std::vector<std::uint32_t> a(32), b(32);
  for (auto* matrix : {&a, &b})
    for (std::uint32_t& word : *matrix) word = static_cast<std::uint32_t>(random());
  const DevicePointer d = bench.alloc(64 * 4);
  const auto arguments =
      ArgumentBlock().pointer(bench.upload(a)).pointer(bench.upload(b)).pointer(d);
  bench.run(ptx, "s4_int_8x8x32", {}, {32, 1, 1}, arguments);
  const auto products = bench.download<int>(d, 64);
  bench.run(ptx, "b1_int_8x8x128", {}, {32, 1, 1}, arguments);
  const auto counts = bench.download<int>(d, 64);
  CHECK(bench.backend->take_report().clean());
  const auto nibble = [](const std::vector<std::uint32_t>& words, size_t at) {
    const int bits = static_cast<int>(words[at / 8] >> (at % 8 * 4) & 15);
    return bits < 8 ? bits : bits - 16;
  };
  for (size_t i = 0; i < 8; ++i) {
    for (size_t j = 0; j < 8; ++j) {
      int sum = 1, differing = 1;
      for (size_t k = 0; k < 32; ++k) sum += nibble(a, i * 32 + k) * nibble(b, j * 32 + k);
      for (size_t k = 0; k < 4; ++k) differing += std::popcount(a[i * 4 + k] ^ b[j * 4 + k]);
      CHECK(products[i * 8 + j] == sum);
      CHECK(counts[j * 8 + i] == differing);
    }
  }
}

TEST_CASE("wmma reads of what was never written and foreign memory are named", "[emulator][wmma]") {
  Bench bench({.device = {}, .check = Check::full});
  const std::string ptx = read_ptx("wmma.ptx");
  const DevicePointer a = bench.alloc(512), b = bench.upload(std::vector<std::uint32_t>(128));
  const DevicePointer c = bench.upload(std::vector<float>(256));
  bench.run(ptx, "half_float_16x16x16_rc", {}, {32, 1, 1},
            ArgumentBlock().pointer(a).pointer(b).pointer(c));
  const Report unset = bench.backend->take_report();
  REQUIRE(!unset.clean());
  CHECK(unset.findings.front().code == "M3");
  bench.run(ptx, "half_float_16x16x16_rc", {}, {32, 1, 1},
            ArgumentBlock().pointer(b).pointer(b + 16).pointer(c));
  const Report outside = bench.backend->take_report();
  REQUIRE(!outside.clean());
  CHECK(outside.findings.front().code == "M1");
}
