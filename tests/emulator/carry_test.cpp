// Chains of additions, subtractions and products with a carry, in every mixture.
#include <random>

#include "emulator/one_line.hpp"

using namespace jute;
using namespace jute::test;

namespace {

struct CarryOperation {
  const char* head;  ///< "mad.hi"
  char kind;         ///< a: add, s: subtract, l and h: multiply and add
};
constexpr std::array kCarryOperations{CarryOperation{"add", 'a'}, CarryOperation{"sub", 's'},
                                      CarryOperation{"mad.lo", 'l'}, CarryOperation{"mad.hi", 'h'}};

struct CarryType {
  const char* suffix;
  int bits;
  bool is_signed;
};
constexpr std::array kCarryTypes{CarryType{"u32", 32, false}, CarryType{"s32", 32, true},
                                 CarryType{"u64", 64, false}, CarryType{"s64", 64, true}};

using Bits128 = unsigned __int128;

struct CarryResult {
  std::uint64_t value = 0;
  bool carry = false;
};

/// PTX ISA, extended-precision arithmetic; a subtraction is a + ~b + carry.
CarryResult modelled(char kind, const CarryType& type, std::uint64_t a, std::uint64_t b,
                     std::uint64_t c, bool carry) {
  const std::uint64_t mask = type.bits == 64 ? ~0ULL : 0xFFFFFFFFULL;
  // As bits: the low 128 of a product are the same for both readings of its sign-extended factors,
  // and two unsigned factors of 64 bits need all of them.
  const auto widened = [&](std::uint64_t x) {
    if (!type.is_signed) return static_cast<Bits128>(x & mask);
    return static_cast<Bits128>(static_cast<__int128>(
        type.bits == 64 ? static_cast<std::int64_t>(x) : static_cast<std::int32_t>(x)));
  };
  const Bits128 product = widened(a) * widened(b);
  Bits128 left = a & mask, right = b & mask;
  if (kind == 's') right = ~b & mask;
  if (kind == 'l' || kind == 'h') {
    left = static_cast<std::uint64_t>(kind == 'l' ? product : product >> type.bits) & mask;
    right = c & mask;
  }
  const Bits128 sum = left + right + (carry ? 1 : 0);
  return {static_cast<std::uint64_t>(sum) & mask, (sum >> type.bits) != 0};
}

/// `mad.hi.cc.u32` or `madc.hi.u32`, whose operands are %w0, %w1, %w2 or their low words.
std::string line_of(const CarryOperation& operation, const CarryType& type, bool is_second) {
  std::string head = operation.head;
  const std::string base = head.substr(0, head.find('.'));
  const std::string part = head.substr(base.size());
  const std::string name = type.bits == 64 ? "%w" : "%r";
  return base + (is_second ? "c" + part : part + ".cc") + "." + type.suffix + " " + name +
         (is_second ? "2" : "3") + ", " + name + "0, " + name + "1" +
         (operation.kind == 'l' || operation.kind == 'h' ? ", " + name + "2" : "") + ";\n";
}

}  // namespace

TEST_CASE("a carry passes between additions, subtractions and products", "[emulator][ptx]") {
  std::mt19937_64 random(7);
  const auto drawn = [&](std::uint32_t lane) -> std::uint32_t {
    return lane % 4 == 0 ? ~0U : lane % 4 == 1 ? lane / 4 : static_cast<std::uint32_t>(random());
  };
  const Lanes a = lanes_of(drawn), b = lanes_of(drawn), c = lanes_of(drawn);
  for (const CarryOperation& first : kCarryOperations)
    for (const CarryOperation& second : kCarryOperations)
      for (const CarryType& before : kCarryTypes)
        for (const CarryType& after : kCarryTypes) {
          const std::string lines =
              "mov.b64 %w0, {%a, %b}; mov.b64 %w1, {%b, %c};\n"
              "mov.b64 %w2, {%c, %a};\n"
              "mov.u32 %r0, %a; mov.u32 %r1, %b; mov.u32 %r2, %c;\n" +
              line_of(first, before, false) + line_of(second, after, true) +
              (after.bits == 64 ? "mov.b64 {%r2, %r3}, %w2;\n"
                                  "mad.lo.u32 %d, %r3, 31, %r2;\n"
                                : "mov.u32 %d, %r2;\n");
          INFO(lines);
          const Lanes got = run_lines(lines, a, b, c);
          Lanes expected{};
          for (std::size_t i = 0; i < expected.size(); ++i) {
            const auto joined = [&](std::uint32_t low, std::uint32_t high) {
              return std::uint64_t{high} << 32 | low;
            };
            const std::uint64_t x = joined(a[i], b[i]), y = joined(b[i], c[i]),
                                z = joined(c[i], a[i]);
            const bool carry = modelled(first.kind, before, x, y, z, first.kind == 's').carry;
            const std::uint64_t value = modelled(second.kind, after, x, y, z, carry).value;
            expected[i] =
                static_cast<std::uint32_t>(value) + 31 * static_cast<std::uint32_t>(value >> 32);
          }
          REQUIRE(got == expected);
        }
}

TEST_CASE("a subtraction leaves a carry where it borrows nothing", "[emulator][ptx]") {
  // What a chip leaves: ptxas adds what inverts the subtrahend.
  const auto after = [](const char* lines, std::uint32_t a, std::uint32_t b) {
    Lanes first{}, second{};
    first.fill(a);
    second.fill(b);
    return run_lines(lines, first, second, {})[0];
  };
  CHECK(after("sub.cc.u32 %r1, %a, %b; addc.u32 %d, 0, 0;", 1, 2) == 0);
  CHECK(after("sub.cc.u32 %r1, %a, %b; addc.u32 %d, 0, 0;", 5, 3) == 1);
  CHECK(after("sub.cc.u32 %r1, %a, %b; subc.u32 %d, 0, 0;", 1, 2) == ~0U);
  CHECK(after("sub.cc.u32 %r1, %a, %b; subc.u32 %d, 0, 0;", 5, 3) == 0);
  CHECK(after("add.cc.u32 %r1, %a, %b; subc.u32 %d, 0, 0;", 1, 2) == ~0U);
  CHECK(after("add.cc.u32 %r1, %a, %b; subc.u32 %d, 0, 0;", ~0U, 2) == 0);
  CHECK(after("add.cc.u32 %r1, %a, %b; madc.lo.u32 %d, 2, 3, 4;", ~0U, 2) == 11);
}
