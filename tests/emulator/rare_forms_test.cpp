// Forms that compilers write for few kernels only, and those that people write by hand.
#include <jute/base/error.hpp>
#include <jute/base/types.hpp>
#include <jute/emulator/ptx.hpp>

#include <algorithm>
#include <bit>
#include <cmath>

#include "emulator/one_line.hpp"
#include "support/catch.hpp"

using namespace jute;
using namespace jute::test;

namespace {

std::uint32_t pair_of(std::uint32_t low, std::uint32_t high) { return low | high << 16; }

/// Halves of which some are equal, some zeros of both signs and some no numbers.
Lanes halves(std::uint32_t nan, std::uint32_t one) {
  return lanes_of([&](std::uint32_t lane) {
    const std::array<std::uint32_t, 6> kinds{0, 0x8000, one, one + 1, one | 0x8000, nan};
    return pair_of(kinds[lane % 6], kinds[(lane / 6 + lane) % 6]);
  });
}
const Lanes kHalves = halves(0x7E00, 0x3C00), kBfloats = halves(0x7FC0, 0x3F80);
/// The same in another order.
Lanes turned(Lanes lanes) {
  std::rotate(lanes.begin(), lanes.begin() + 5, lanes.end());
  return lanes;
}
double half_of(DType type, std::uint32_t pair, int part) {
  return decode(type, pair >> (16 * part) & 0xFFFF);
}

/// What packed comparisons give where `holds` says so of both values.
template <class Holds>
Lanes compared(DType type, const Lanes& a, const Lanes& b, std::uint32_t truth, Holds holds) {
  return lanes_of([&](std::uint32_t lane) {
    const auto one = [&](int part) {
      return holds(half_of(type, a[lane], part), half_of(type, b[lane], part)) ? truth : 0;
    };
    return pair_of(one(0), one(1));
  });
}
constexpr auto kLess = [](double x, double y) { return x < y; };
constexpr auto kNotLess = [](double x, double y) { return !(x < y); };
constexpr auto kEqual = [](double x, double y) { return x == y; };

std::string refusal_of(const std::string& lines, const std::string& target) {
  try {
    (void)open_emulator()->load(binary_from_ptx(text_of_lines(lines, target), "k"));
  } catch (const Exception& e) {
    return e.error().violated_rules.front();
  }
  return "";
}

}  // namespace

TEST_CASE("set compares packed halves one by one", "[emulator][float]") {
  const Lanes a = kHalves, b = turned(kHalves);
  CHECK(run_lines("set.lt.f16x2.f16x2 %d, %a, %b;", a, b, a) ==
        compared(DType::f16, a, b, 0x3C00, kLess));
  CHECK(run_lines("set.geu.f16x2.f16x2 %d, %a, %b;", a, b, a) ==
        compared(DType::f16, a, b, 0x3C00, kNotLess));
  CHECK(run_lines("set.eq.u32.f16x2 %d, %a, %b;", a, b, a) ==
        compared(DType::f16, a, b, 0xFFFF, kEqual));
  const Lanes x = kBfloats, y = turned(kBfloats);
  CHECK(run_lines("set.lt.bf16x2.bf16x2 %d, %a, %b;", x, y, x) ==
        compared(DType::bf16, x, y, 0x3F80, kLess));
  CHECK(run_lines("set.geu.u32.bf16x2 %d, %a, %b;", x, y, x) ==
        compared(DType::bf16, x, y, 0xFFFF, kNotLess));
}

TEST_CASE("set and setp compare single halves and combine with a predicate", "[emulator][float]") {
  const Lanes a = kHalves, b = turned(kHalves);
  const std::string unpacked = "mov.b32 {%h0, %h1}, %a; mov.b32 {%h2, %h3}, %b;\n";
  CHECK(run_lines(unpacked + "set.eq.f16.f16 %h0, %h0, %h2; set.eq.s16.f16 %h1, %h1, %h3;\n"
                             "mov.b32 %d, {%h0, %h1};",
                  a, b, a) == lanes_of([&](std::uint32_t lane) {
          const auto same = [&](int part) {
            return kEqual(half_of(DType::f16, a[lane], part), half_of(DType::f16, b[lane], part));
          };
          return pair_of(same(0) ? 0x3C00 : 0, same(1) ? 0xFFFF : 0);
        }));
  // p is the low half's, q the high one's; both where the lane is odd.
  CHECK(run_lines("and.b32 %r1, %r0, 1; setp.ne.u32 %p2, %r1, 0;\n"
                  "setp.lt.and.f16x2 %p0|%p1, %a, %b, %p2;\n"
                  "selp.b32 %d, 0xFFFF, 0, %p0; @%p1 or.b32 %d, %d, 0xFFFF0000;",
                  a, b, a) == lanes_of([&](std::uint32_t lane) {
          return lane % 2 == 0 ? 0 : compared(DType::f16, a, b, 0xFFFF, kLess)[lane];
        }));
}

TEST_CASE("cvt.pack saturates and packs in front of what was packed before",
          "[emulator][convert]") {
  const Lanes a = lanes_of([](std::uint32_t lane) { return (lane - 16) * 40; });
  const Lanes b = turned(a);
  const auto clamped = [](std::uint32_t x, int least, int most) {
    return static_cast<std::uint32_t>(std::clamp(static_cast<int>(x), least, most));
  };
  CHECK(run_lines("cvt.pack.sat.s8.s32.b32 %d, %a, %b, 0x1234;", a, b, a) ==
        lanes_of([&](std::uint32_t i) {
          return 0x12340000U | (clamped(a[i], -128, 127) & 0xFF) << 8 |
                 (clamped(b[i], -128, 127) & 0xFF);
        }));
  CHECK(run_lines("cvt.pack.sat.u4.s32.b32 %d, %a, %b, %c;", a, b, b) ==
        lanes_of([&](std::uint32_t i) {
          return b[i] << 8 | clamped(a[i], 0, 15) << 4 | clamped(b[i], 0, 15);
        }));
  CHECK(run_lines("shl.b32 %a, %a, 9; cvt.pack.sat.u16.s32 %d, %a, %b;", a, b, b) ==
        lanes_of([&](std::uint32_t i) {
          return clamped(a[i] << 9, 0, 65535) << 16 | clamped(b[i], 0, 65535);
        }));
}

TEST_CASE("satfinite puts the largest number in infinity's place", "[emulator][convert]") {
  const auto bits = [](float x) { return std::bit_cast<std::uint32_t>(x); };
  const std::array<float, 6> values{1e30F, -INFINITY, 3.5F, -70000.0F, NAN, 65519.0F};
  const std::array<std::uint32_t, 6> expected{0x7BFF, 0xFBFF, 0x4300, 0xFBFF, 0x7FFF, 0x7BFF};
  const Lanes a = lanes_of([&](std::uint32_t lane) { return bits(values[lane % 6]); });
  const Lanes zero{};
  CHECK(run_lines("cvt.rn.satfinite.f16x2.f32 %d, %b, %a;", a, zero, zero) ==
        lanes_of([&](std::uint32_t lane) { return expected[lane % 6]; }));
  CHECK(run_lines("cvt.rna.satfinite.tf32.f32 %d, %a;",
                  lanes_of([&](std::uint32_t) { return 0x7F7FFFFFU; }), zero,
                  zero)[3] == 0x7F7FE000U);
}

TEST_CASE("bf16 rounds to whole numbers by every mode", "[emulator][convert]") {
  const auto bits = [](float x) { return std::bit_cast<std::uint32_t>(x) >> 16; };
  const std::array<float, 6> values{2.5F, -2.5F, 3.5F, -0.25F, 100.0F, -INFINITY};
  const Lanes zero{}, a = lanes_of([&](std::uint32_t lane) { return bits(values[lane % 6]); });
  const std::array<std::pair<const char*, std::array<float, 6>>, 4> modes{
      {{"rni", {2, -2, 4, -0.0F, 100, -INFINITY}},
       {"rzi", {2, -2, 3, -0.0F, 100, -INFINITY}},
       {"rmi", {2, -3, 3, -1, 100, -INFINITY}},
       {"rpi", {3, -2, 4, -0.0F, 100, -INFINITY}}}};
  for (const auto& [mode, rounded] : modes) {
    INFO(mode);
    const std::string lines = std::string("cvt.u16.u32 %h0, %a; cvt.") + mode +
                              ".bf16.bf16 %h1, %h0; cvt.u32.u16 %d, %h1;";
    CHECK(run_lines(lines, a, zero, zero) ==
          lanes_of([&, rounded = rounded](std::uint32_t lane) { return bits(rounded[lane % 6]); }));
  }
}

TEST_CASE("modifiers of arithmetic stand in any order", "[emulator][decode]") {
  const Lanes a = lanes_of(
      [](std::uint32_t i) { return std::bit_cast<std::uint32_t>(static_cast<float>(i) - 7.5F); });
  const Lanes b = turned(a);
  for (const auto& [usual, other] :
       {std::pair{"ex2.approx.ftz.f32 %d, %a;", "ex2.ftz.approx.f32 %d, %a;"},
        std::pair{"min.ftz.NaN.f32 %d, %a, %b;", "min.NaN.ftz.f32 %d, %a, %b;"},
        std::pair{"add.rz.f32 %d, %a, %b;", "add.f32.rz %d, %a, %b;"},
        std::pair{"cvt.rzi.s32.f32 %d, %a;", "cvt.s32.rzi.f32 %d, %a;"},
        std::pair{"setp.lt.f32 %p0, %a, %b; selp.b32 %d, 1, 2, %p0;",
                  "setp.f32.lt %p0, %a, %b; selp.b32 %d, 1, 2, %p0;"},
        std::pair{"prmt.b32.f4e %d, %a, %b, %c;", "prmt.f4e.b32 %d, %a, %b, %c;"}})
    CHECK(run_lines(usual, a, b, a) == run_lines(other, a, b, a));
}

TEST_CASE("bf16 conversions, 16-bit integers and packed comparisons need no more than the ISA says",
          "[emulator][decode]") {
  CHECK(refusal_of("cvt.rn.bf16x2.f32 %d, %a, %b;", "sm_80") == "");
  CHECK(refusal_of("cvt.rz.relu.bf16.f32 %h0, %a;", "sm_86") == "");
  CHECK(refusal_of("cvt.rn.satfinite.bf16x2.f32 %d, %a, %b;", "sm_89") == "");
  CHECK(refusal_of("min.s16 %h0, %h1, %h2;", "sm_75") == "");
  CHECK(refusal_of("set.eq.f16x2.f16x2 %d, %a, %b;", "sm_75") == "");
  CHECK(refusal_of("cvt.rn.bf16x2.f32 %d, %a, %b;", "sm_75") ==
        "it needs sm_80, the text is for sm_75");
  CHECK(refusal_of("cvt.rn.bf16.s32 %h0, %a;", "sm_80") == "it needs sm_90, the text is for sm_80");
  CHECK(refusal_of("tanh.approx.bf16 %h0, %h1;", "sm_80") ==
        "it needs sm_90, the text is for sm_80");
}

TEST_CASE("video instructions work on parts of registers", "[emulator][integer]") {
  const Lanes a = lanes_of([](std::uint32_t i) { return 0x01FF7F80U + i * 0x10203040U; });
  const Lanes b = lanes_of([](std::uint32_t i) { return 0x80017FFFU - i * 0x01112131U; });
  const Lanes c = lanes_of([](std::uint32_t i) { return i * 0x01010101U; });
  const auto byte = [](std::uint32_t x, int i) { return static_cast<int>(x >> (8 * i) & 0xFF); };
  CHECK(run_lines("vabsdiff4.u32.u32.u32.add %d, %a, %b, %c;", a, b, c) ==
        lanes_of([&](std::uint32_t lane) {
          std::uint32_t sum = c[lane];
          for (int i = 0; i < 4; ++i)
            sum += static_cast<std::uint32_t>(std::abs(byte(a[lane], i) - byte(b[lane], i)));
          return sum;
        }));
  CHECK(run_lines("vadd4.s32.s32.s32.sat %d.b20, %a, %b, %c;", a, b, c) ==
        lanes_of([&](std::uint32_t lane) {
          std::uint32_t result = c[lane] & 0xFF00FF00U;
          for (const int i : {0, 2}) {
            const int x = static_cast<std::int8_t>(byte(a[lane], i)),
                      y = static_cast<std::int8_t>(byte(b[lane], i));
            result |= (static_cast<std::uint32_t>(std::clamp(x + y, -128, 127)) & 0xFF) << (8 * i);
          }
          return result;
        }));
  // Byte 7 of both is b's highest; compared with a's bytes in turn.
  CHECK(run_lines("vset4.u32.u32.lt %d, %a.b3210, %b.b7777, %c;", a, b, c) ==
        lanes_of([&](std::uint32_t lane) {
          std::uint32_t result = 0;
          for (int i = 0; i < 4; ++i)
            result |= (byte(a[lane], i) < byte(b[lane], 3) ? 1U : 0U) << (8 * i);
          return result;
        }));
  CHECK(run_lines("vmad.u32.u32.u32 %d, %a.h1, %b.b0, %c;", a, b, c) ==
        lanes_of([&](std::uint32_t i) { return (a[i] >> 16) * (b[i] & 0xFF) + c[i]; }));
  CHECK(run_lines("vsub.s32.u32.u32.sat.max %d, %a.b3, %b.b1, %c;", a, b, c) ==
        lanes_of([&](std::uint32_t i) {
          const int difference = byte(a[i], 3) - byte(b[i], 1);
          return static_cast<std::uint32_t>(std::max(difference, static_cast<int>(c[i])));
        }));
  CHECK(refusal_of("add.u32 %d, %a.b1, %b;", "sm_90a") == "';' must end an instruction");
}

TEST_CASE("rare integer instructions", "[emulator][integer]") {
  const Lanes a = lanes_of([](std::uint32_t i) { return 0x9E3779B9U * (i + 1); });
  const Lanes b = lanes_of([](std::uint32_t i) { return 0x85EBCA6BU * (i + 3); });
  const Lanes c = lanes_of([](std::uint32_t i) { return i; });
  const auto low24 = [](std::uint32_t x) { return std::uint64_t{x & 0xFFFFFF}; };
  CHECK(run_lines("mad24.hi.u32 %d, %a, %b, %c;", a, b, c) == lanes_of([&](std::uint32_t i) {
          return static_cast<std::uint32_t>(low24(a[i]) * low24(b[i]) >> 16) + c[i];
        }));
  CHECK(run_lines("szext.clamp.s32 %d, %a, %c;", a, b, c) == lanes_of([&](std::uint32_t i) {
          return i == 0
                     ? 0
                     : static_cast<std::uint32_t>(static_cast<int>(a[i] << (32 - i)) >> (32 - i));
        }));
  // The first bit of a from place c on, downwards.
  CHECK(run_lines("fns.b32 %d, %a, %c, -1;", a, b, c) == lanes_of([&](std::uint32_t i) {
          for (int at = static_cast<int>(i); at >= 0; --at)
            if ((a[i] >> at & 1) != 0) return static_cast<std::uint32_t>(at);
          return 0xFFFFFFFFU;
        }));
  CHECK(run_lines("setp.gt.u32 %p0, %c, 20; lop3.or.b32 %d|%p1, %a, %b, %c, 0x80, %p0;\n"
                  "@%p1 xor.b32 %d, %d, 0xFFFFFFFF;",
                  a, b, c) == lanes_of([&](std::uint32_t i) {
          const std::uint32_t all = a[i] & b[i] & c[i];
          return i > 20 || all != 0 ? ~all : all;
        }));
  CHECK(run_lines("max.s16x2.relu %d, %a, %b;", a, b, c) == lanes_of([&](std::uint32_t i) {
          const auto most = [&](int shift) {
            const auto x = static_cast<std::int16_t>(a[i] >> shift),
                       y = static_cast<std::int16_t>(b[i] >> shift);
            return static_cast<std::uint32_t>(std::max({int{x}, int{y}, 0}));
          };
          return pair_of(most(0), most(16));
        }));
}

TEST_CASE("128 bits are loaded, taken apart and stored", "[emulator][memory]") {
  const Lanes a = lanes_of([](std::uint32_t i) { return i * 77 + 5; });
  const Lanes zero{};
  // Each lane leaves four words, and fetches those of the lane whose bits are turned over.
  CHECK(run_lines(R"(
    shl.b32 %r1, %r0, 4; mov.u32 %r2, place; add.u32 %r1, %r1, %r2;
    mov.b64 %w0, {%a, %b}; mov.b64 %w1, {%c, %r0};
    mov.b128 %v0, {%w0, %w1};
    st.shared.b128 [%r1], %v0;
    bar.sync 0;
    xor.b32 %r1, %r0, 31; shl.b32 %r1, %r1, 4; add.u32 %r1, %r1, %r2;
    ld.shared.b128 %v1, [%r1];
    mov.b128 %v2, %v1;
    mov.b128 {%w2, %w3}, %v2;
    mov.b64 {%r1, %r2}, %w2; mov.b64 {%r2, %r3}, %w3;
    shl.b32 %r3, %r3, 16; add.u32 %d, %r1, %r3;)",
                  a, zero,
                  zero) == lanes_of([&](std::uint32_t i) { return a[31 - i] + ((31 - i) << 16); }));
}

TEST_CASE("a number of 64 bits becomes one of 128 with zeros above", "[emulator][memory]") {
  CHECK(run_lines(R"(
    mov.b128 %v0, -5; mov.b128 {%w0, %w1}, %v0;
    cvt.u32.u64 %r1, %w0; cvt.u32.u64 %r2, %w1; add.u32 %d, %r1, %r2;)",
                  {}, {}, {}) == lanes_of([](std::uint32_t) { return 0U - 5; }));
}

TEST_CASE("128 bits are exchanged, and compared and exchanged, lane after lane",
          "[emulator][memory]") {
  const std::string begin = R"(
    mov.u32 %r1, place; mov.b64 %w0, 0; mov.b128 %v0, {%w0, %w0}; st.shared.b128 [%r1], %v0;
    bar.sync 0; cvt.u64.u32 %w1, %r0; cvt.u64.u32 %w2, %a;)";
  const std::string end = R"(
    mov.b128 {%w2, %w3}, %v2; cvt.u32.u64 %r1, %w2; cvt.u32.u64 %r2, %w3;
    shl.b32 %r2, %r2, 16; add.u32 %d, %r1, %r2;)";
  const Lanes a = lanes_of([](std::uint32_t i) { return i * 7 + 3; });
  const Lanes none{};
  // Each finds what the lane before it left.
  CHECK(run_lines(begin + "mov.b128 %v1, {%w1, %w2}; atom.shared.exch.b128 %v2, [%r1], %v1;" + end,
                  a, none, none) ==
        lanes_of([&](std::uint32_t i) { return i == 0 ? 0 : i - 1 + (a[i - 1] << 16); }));
  // Each counts one on where it finds its own number, above zeros: lane 20 looks for other bits
  // there, and all behind it find too small a number.
  const Lanes high = lanes_of([](std::uint32_t i) { return i == 20 ? 1U : 0U; });
  const std::string count = R"(
    mov.b128 %v1, {%w1, %w2}; add.u64 %w3, %w1, 1; mov.b128 %v0, {%w3, %w0};
    atom.acq_rel.cta.shared.cas.b128 %v2, [%r1], %v1, %v0;)";
  CHECK(run_lines(begin + count + end, high, none, none) ==
        lanes_of([](std::uint32_t i) { return std::min(i, 20U); }));
  CHECK(refusal_of(
            "mov.b64 %w0, 0; mov.b128 %v0, {%w0, %w0}; atom.global.exch.b128 %v1, [%at0], %v0;",
            "sm_89") == "it needs sm_90, the text is for sm_89");
}

TEST_CASE("loads and stores take weak, hints and policies together", "[emulator][memory]") {
  const Lanes a = lanes_of([](std::uint32_t i) { return i; });
  for (const char* load :
       {"ld.weak.global.L1::no_allocate.u32 %d, [%at0];",
        "ld.mmio.relaxed.sys.global.u32 %d, [%at0];", "ld.volatile.global.L2::128B.u32 %d, [%at0];",
        "ld.weak.global.cg.L2::64B.u32 %d, [%at0];",
        "ld.relaxed.gpu.global.L1::no_allocate.L2::cache_hint.u32 %d, [%at0], %w0;",
        "ld.acquire.sys.global.L2::128B.u32 %d, [%at0];",
        "ld.global.cg.L2::cache_hint.u32 %d, [%at0], %w0;"})
    CHECK(run_lines("createpolicy.fractional.L2::evict_first.b64 %w0;\n" + std::string(load), a, a,
                    a) == a);
  for (const char* store :
       {"st.weak.global.L1::no_allocate.u32 [%at3], %a;",
        "st.mmio.relaxed.sys.global.u32 [%at3], %a;",
        "st.relaxed.gpu.global.L1::no_allocate.L2::cache_hint.u32 [%at3], %a, %w0;",
        "st.global.cg.L2::cache_hint.u32 [%at3], %a, %w0;"})
    CHECK(run_lines("mov.b64 %w0, 0; mov.u32 %d, %a;\n" + std::string(store), a, a, a) == a);
}

TEST_CASE("votes and shuffles without .sync are of the lanes that come together",
          "[emulator][warp]") {
  const Lanes a = lanes_of([](std::uint32_t i) { return i * 3; });
  CHECK(run_lines("mov.u32 %d, 0; setp.lt.u32 %p0, %r0, 8;\n"
                  "@!%p0 bra END;\n"
                  "shfl.bfly.b32 %r1|%p2, %a, 1, 31;\n"
                  "and.b32 %r2, %a, 1; setp.ne.u32 %p1, %r2, 0;\n"
                  "vote.ballot.b32 %d, %p1; mad.lo.u32 %d, %r1, 65536, %d;\nEND:",
                  a, a, a, "sm_60") ==
        lanes_of([&](std::uint32_t i) { return i < 8 ? (a[i ^ 1] << 16) + 0xAA : 0; }));
}
