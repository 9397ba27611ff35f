// Constant expressions, initial data, alignments, headers, aliases and targets of calls, as ptxas
// takes them.
#include <jute/emulator/emulated_gpu.hpp>

#include "emulator/run_ptx.hpp"
#include "support/catch.hpp"
#include "support/refusal.hpp"

using namespace jute;
using namespace jute::test;

namespace {

std::string constants_module(const std::string& declarations, const std::string& body = {},
                             const std::string& header = ".version 8.0\n.target sm_90\n") {
  return header + ".address_size 64\n" + declarations +
         "\n.visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<9>; .reg .b64 %rd<9>;\n"
         ".reg .f32 %f<3>; .reg .pred %p<3>;\nld.param.u64 %rd1, [p];\n" +
         body + "ret;\n}\n";
}

template <class T>
T stored(const std::string& text) {
  Bench bench;
  const auto out = bench.alloc(16);
  bench.run(text, "k", {1, 1, 1}, {1, 1, 1}, ArgumentBlock().pointer(out));
  CHECK(to_string(bench.backend->take_report().findings) == "");
  return bench.download<T>(out, 1)[0];
}

/// What an expression is as an operand and as an initial value.
void check_value(const std::string& expression, std::uint64_t value) {
  INFO(expression);
  CHECK(stored<std::uint64_t>(constants_module(
            {}, "mov.u64 %rd2, " + expression + "; st.global.u64 [%rd1], %rd2;\n")) == value);
  CHECK(stored<std::uint64_t>(
            constants_module(".global .u64 n = " + expression + ";",
                             "ld.global.u64 %rd2, [n]; st.global.u64 [%rd1], %rd2;\n")) == value);
}

Error constants_refusal(const std::string& declarations, const std::string& body = {},
                        const std::string& header = ".version 8.0\n.target sm_90\n") {
  return refusal_of([&] {
    (void)open_emulator()->load(binary_from_ptx(constants_module(declarations, body, header)));
  });
}

}  // namespace

TEST_CASE("constant expressions have the values of ptxas", "[emulator][ptx]") {
  struct Case {
    const char* expression;
    std::uint64_t value;
  };
  // Values: what ptxas 13.0 writes into .nv.global.init.
  for (const Case& each : std::initializer_list<Case>{{"(3+4)*2-1", 13},
                                                      {"1<<4|3", 0x13},
                                                      {"~5&0xF", 10},
                                                      {"7/2", 3},
                                                      {"-7/2", 0xfffffffffffffffd},
                                                      {"-7U/2", 0x7ffffffffffffffc},
                                                      {"-7 % 3", 0},
                                                      {"7 % 4", 3},
                                                      {"-8>>1", 0xfffffffffffffffc},
                                                      {"-1U>>1", 0x7fffffffffffffff},
                                                      {"9223372036854775808>>1", 1ULL << 62},
                                                      {"(.u64)(-1)>>1", 0x7fffffffffffffff},
                                                      {"(.s64)0xFFFFFFFFFFFFFFFF>>1", ~0ULL},
                                                      {"1<<63>>63", ~0ULL},
                                                      {"1U<<63>>63", 1},
                                                      {"-1<1", 1},
                                                      {"-1<1U", 0},
                                                      {"(~0)>>1", 0x7fffffffffffffff},
                                                      {"(-1&1U|-1)>>1", 0x7fffffffffffffff},
                                                      {"(1U<2)-2>>1", ~0ULL},
                                                      {"1<<65", 2},
                                                      {"1>>64", 1},
                                                      {"1?7:9", 7},
                                                      {"0?2:0?4:5", 5},
                                                      {"5-3-1", 1},
                                                      {"2+3<<1", 10},
                                                      {"1|2^3&4", 3},
                                                      {"3&1==1", 1},
                                                      {"1<2==1", 1},
                                                      {"8/2/2", 2},
                                                      {"100-1?3:4", 3},
                                                      {"- ~1", 2},
                                                      {"!5", 0},
                                                      {"!0&&3", 1},
                                                      {"0||0", 0},
                                                      {"0777", 511},
                                                      {"0b11", 3},
                                                      {"0U", 0},
                                                      {"WARP_SZ*2", 64},
                                                      {"1.5<2.0", 1}})
    check_value(each.expression, each.value);
}

TEST_CASE("offsets, lists and other operands are expressions", "[emulator][ptx]") {
  const std::string data = ".global .align 8 .u32 n[4] = {1+1, (3), 4*5, -1};\n";
  const auto word = [&](const std::string& body) {
    return stored<std::uint32_t>(constants_module(data, body));
  };
  CHECK(word("ld.global.u32 %r1, [n+(16>>2)]; st.global.u32 [%rd1], %r1;\n") == 3);
  CHECK(word("mov.u64 %rd2, n+4*2; ld.global.u32 %r1, [%rd2+4-4]; st.global.u32 [%rd1], %r1;\n") ==
        20);
  CHECK(word("mov.u64 %rd2, n+8; ld.global.u32 %r1, [%rd2+-8]; st.global.u32 [%rd1], %r1;\n") == 2);
  CHECK(word("st.global.v2.u32 [%rd1], {1+2*3, (4)};\n") == 7);
  CHECK(word("add.f32 %f1, 0f3F800000, 1.5*2.0; st.global.f32 [%rd1], %f1;\n") == 0x40800000);
  CHECK(word("mov.f32 %f1, .5; add.f32 %f1, %f1, 5.; st.global.f32 [%rd1], %f1;\n") == 0x40b00000);
  CHECK(word("mov.pred %p1, 1==1; @%p1 st.global.u32 [%rd1], 9;\n") == 9);
  for (const char* body :
       {"mov.u32 %r1, 1+;", "mov.u32 %r1, 7/0;", "mov.u32 %r1, 7 % 0;", "mov.u32 %r1, 1.5+2;",
        "mov.u32 %r1, 1.5?2:3;", "mov.u32 %r1, ~1.5;", "mov.u32 %r1, (1;", "mov.u32 %r1, 5u;",
        "mov.f32 %f1, -0f3F800000;", "ld.global.u32 %r1, [%rd1-4];", "mov.u32 %r1, 1?2;",
        "mov.u32 %r1, < 2;"})
    CHECK(constants_refusal(data, body).code == ErrorCode::bad_file);
}

TEST_CASE("initial data has one list for each dimension", "[emulator][ptx]") {
  const auto bytes = [](const std::string& declaration) {
    return stored<std::uint64_t>(
        constants_module(".global .align 8 " + declaration + ";",
                         "ld.global.u64 %rd2, [n]; st.global.u64 [%rd1], %rd2;\n"));
  };
  CHECK(bytes(".u8 n[2][4] = {{1}, {2, 3}}") == 0x0000030200000001);
  CHECK(bytes(".u8 n[][2] = {{1}, {2}, {3, 4}, {5}}") == 0x0005040300020001);
  CHECK(bytes(".v4 .u8 n[2] = {{1, 2, 3, 4}, {5}}") == 0x0000000504030201);
  CHECK(bytes(".f32 n[2] = {(1.5), 1.0-2.0}") == 0xbf8000003fc00000);
  CHECK(bytes(".b32 n[2] = {1.0, 0f40000000}") == 0x400000003f800000);
  for (const char* declaration :
       {".u32 n[2] = {1, 2, 3}", ".u32 n[2][2] = {1, 2, 3, 4}", ".u32 n[4] = {{1, 2}, {3, 4}}",
        ".u32 n[2] = 5", ".u32 n = {3}", ".f32 n = 1", ".u32 n = 1.5", ".f16 n = 1.0",
        ".u32 n[2] = {1,}", ".u8 n[2][] = {{1}, {2}}", ".u8 n[][1073741824] = {{1}, {2}}"}) {
    INFO(declaration);
    CHECK(constants_refusal(std::string(".global ") + declaration + ";").code ==
          ErrorCode::bad_file);
  }
}

TEST_CASE("alignments reach beyond what a page has", "[emulator][ptx]") {
  const std::string body =
      "mov.u64 %rd2, n; and.b64 %rd2, %rd2, 131071; mov.u32 %r1, s; and.b32 %r1, %r1, 16383;\n"
      "cvt.u64.u32 %rd3, %r1; or.b64 %rd2, %rd2, %rd3; st.global.u64 [%rd1], %rd2;\n";
  CHECK(stored<std::uint64_t>(
            constants_module(".global .u8 first; .global .align 131072 .b8 n[16];\n"
                             ".shared .align 4 .b8 before[4]; .shared .align 16384 .b8 s[64];\n",
                             body)) == 0);
  for (const char* alignment : {"0", "3", "-4"})
    CHECK(constants_refusal(std::string(".global .align ") + alignment + " .u32 n;").code ==
          ErrorCode::bad_file);
}

TEST_CASE("modules for older chips, of older versions, are taken", "[emulator][ptx]") {
  for (const char* header :
       {".version 3.2\n.target sm_20\n", ".version 4.0\n.target sm_35\n",
        ".version 8.0\n.target sm_37, texmode_independent\n", ".version 2.3\n.target sm_12\n",
        ".version 8.0\n.target compute_80\n"}) {
    INFO(header);
    CHECK(stored<std::uint32_t>(constants_module({}, "st.global.u32 [%rd1], 3;\n", header)) == 3);
  }
  for (const char* header : {".version 8.0\n.target sm_9\n", ".version 8.0\n.target smx\n",
                             ".version 0.9\n.target sm_90\n"})
    CHECK(constants_refusal({}, {}, header).code == ErrorCode::bad_file);
}

TEST_CASE("an alias is the function that it means", "[emulator][ptx]") {
  const std::string defined =
      ".func (.param .b32 r) twice(.param .b32 a)\n{ .reg .b32 %r1;\nld.param.b32 %r1, [a];\n"
      "add.u32 %r1, %r1, %r1;\nst.param.b32 [r], %r1;\nret; }\n";
  const std::string declared = ".visible .func (.param .b32 r) other(.param .b32 a);\n";
  const auto called = [](const std::string& head, const std::string& call) {
    return head + "{ .param .b32 x; .param .b32 y;\nst.param.b32 [x], 21;\n" + call +
           "ld.param.b32 %r2, [y];\n}\nst.global.u32 [%rd1], %r2;\n";
  };
  const std::string alias = defined + declared + ".alias other, twice;\n";
  CHECK(stored<std::uint32_t>(constants_module(alias, called("", "call (y), other, (x);\n"))) ==
        42);
  CHECK(stored<std::uint32_t>(
            constants_module(alias, called("mov.u64 %rd2, other;\nT: .calltargets other, twice;\n",
                                           "call (y), %rd2, (x), T;\n"))) == 42);
  // Declared first, defined behind the kernel.
  CHECK(stored<std::uint32_t>(constants_module(".func (.param .b32 r) twice(.param .b32 a);\n",
                                               called("", "call (y), twice, (x);\n")) +
                              defined) == 42);
  CHECK(constants_refusal(".alias other, twice;\n").code == ErrorCode::bad_file);
  CHECK(constants_refusal(defined + ".alias other, twice;\n").value == "other");
  CHECK(constants_refusal(declared + ".alias other, twice;\n").value == "twice");
  CHECK(constants_refusal(defined, called("mov.u64 %rd2, twice;\nT: .calltargets nothing;\n",
                                          "call (y), %rd2, (x), T;\n"))
            .value == "nothing");
  CHECK(
      constants_refusal(defined, called("mov.u64 %rd2, twice;\n", "call (y), %rd2, (x), twice;\n"))
          .violated_rules[0]
          .find(".calltargets") != std::string::npos);
}
