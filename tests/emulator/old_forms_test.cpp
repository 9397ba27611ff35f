// What compilers of older PTX wrote, and what is seldom written, as ptxas takes it.
#include <jute/emulator/emulated_gpu.hpp>

#include "emulator/run_ptx.hpp"
#include "support/catch.hpp"
#include "support/refusal.hpp"

using namespace jute;
using namespace jute::test;

namespace {

std::string old_module(const std::string& declarations, const std::string& body) {
  return ".version 3.2\n.target sm_20\n.address_size 64\n" + declarations +
         "\n.visible .entry k(.param .u64 p)\n{\n.reg .b16 %h<3>; .reg .b32 %r<9>;\n"
         ".reg .b64 %rd<9>; .reg .f32 %f<5>; .reg .pred %p<2>;\nld.param.u64 %rd1, [p];\n" +
         body + "st.global.u32 [%rd1], %r1;\nret;\n}\n";
}

std::string findings_of(const std::string& text, std::uint32_t& value) {
  Bench bench;
  const auto out = bench.alloc(4);
  bench.run(text, "k", {1, 1, 1}, {1, 1, 1}, ArgumentBlock().pointer(out));
  value = bench.download<std::uint32_t>(out, 1)[0];
  return to_string(bench.backend->take_report().findings);
}
std::uint32_t value_of(const std::string& declarations, const std::string& body) {
  std::uint32_t value = 0;
  INFO(declarations << body);
  CHECK(findings_of(old_module(declarations, body), value) == "");
  return value;
}
Error old_refusal(const std::string& declarations, const std::string& body) {
  return refusal_of(
      [&] { (void)open_emulator()->load(binary_from_ptx(old_module(declarations, body))); });
}

}  // namespace

TEST_CASE("parameters of functions may be registers", "[emulator][ptx]") {
  const std::string sum =
      ".func (.reg .u32 r, .reg .f32 f) sum(.reg .u32 a, .param .u32 b, .reg .f32 c)\n"
      "{ .reg .u32 t; .reg .pred p; ld.param.u32 t, [b]; add.u32 r, a, t; add.f32 f, c, 0f3F800000;"
      "\n setp.gt.u32 p, r, 100; @p ret; add.u32 r, r, 1000; }\n";
  CHECK(value_of(sum, "mov.u32 %r2, 20; call (%r1, %f1), sum, (%r2, 3, 1.5);\n") == 1023);
  CHECK(value_of(sum, "mov.u32 %r2, 200; call (%r1, %f1), sum, (%r2, 1+2, 1.5);\n") == 203);
  CHECK(value_of(sum, "call (%r2, %f1), sum, (1, 2, 1.5); mov.b32 %r1, %f1;\n") == 0x40200000);
  const std::string plain =
      ".func (.param .u32 r) twice(.param .u32 a)\n{ .reg .u32 t; ld.param.u32 t, [a];\n"
      "add.u32 t, t, t; st.param.u32 [r], t; ret; }\n";
  CHECK(value_of(plain, "mov.u32 %r2, 4; call (%r1), twice, (%r2);\n") == 8);
  CHECK(old_refusal(sum, "call (%r1, %f1), sum, (%rd1, 3, 1.5);\n").code == ErrorCode::bad_file);
}

TEST_CASE("a prototype may end without a semicolon", "[emulator][ptx]") {
  CHECK(value_of(".visible .func (.param .s32 r) f (.param .s32 a)\n"
                 ".visible .func g\n.file 1 \"a.cu\"\n",
                 "mov.u32 %r1, 5;\n") == 5);
}

TEST_CASE("special registers may be read as their low half", "[emulator][ptx]") {
  CHECK(value_of({},
                 "cvt.u32.u16 %r1, %ntid.x; mov.u16 %h1, %tid.x; cvt.u32.u16 %r2, %h1;\n"
                 "mul.wide.u16 %r3, %nctaid.x, 7; add.u32 %r1, %r1, %r2;\n"
                 "add.u32 %r1, %r1, %r3;\n") == 8);
}

TEST_CASE("variables lie where only older compilers put them", "[emulator][ptx]") {
  CHECK(value_of(".local .u32 %place[2];\n",
                 "st.local.u32 [%place+4], 6; ld.local.u32 %r1, [%place+4];\n") == 6);
  CHECK(value_of({},
                 ".global .u32 inside[2] = {3, 4}; .const .u32 fixed = 5;\n"
                 "ld.global.u32 %r1, [inside+4]; ld.const.u32 %r2, [fixed];\n"
                 "mad.lo.u32 %r1, %r1, 10, %r2;\n") == 45);
}

TEST_CASE("a register with an offset is a sum where a number stands", "[emulator][ptx]") {
  CHECK(value_of({}, "mov.u32 %r2, 7; mov.u32 %r1, %r2+4*2;\n") == 15);
  CHECK(old_refusal({}, "mov.f32 %f2, %h1+4;\n").code == ErrorCode::bad_file);
}

TEST_CASE("a product and sum for the first chips names no rounding", "[emulator][ptx]") {
  const std::string body =
      ".entry k(.param .u64 p) { .reg .u64 %rd; .reg .f32 %f<3>; ld.param.u64 %rd, [p];\n"
      "mov.f32 %f1, 0f3FC00000; mad.f32 %f2, %f1, %f1, 0f3F800000; st.global.f32 [%rd], %f2;\n"
      "ret; }\n";
  std::uint32_t value = 0;
  CHECK(findings_of(".version 1.4\n.target sm_13\n" + body, value) == "");
  CHECK(value == 0x40500000);
  CHECK(refusal_of([&] {
          (void)open_emulator()->load(binary_from_ptx(".version 3.2\n.target sm_20\n" + body));
        }).value == "mad.f32");
}

TEST_CASE("a texture that nobody bound to its name is found", "[emulator][ptx]") {
  for (const char* place : {"{%f1}", "{%f1, %f1, %f1, %f1}"})
    for (const char* declaration : {".global .texref image;\n", ".tex .u64 image;\n"}) {
      const std::string fetch =
          "mov.f32 %f1, 0f00000000; mov.u32 %r1, 1;\n"
          "tex.1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [image, " +
          std::string(place) + "];\n";
      std::uint32_t value = 0;
      CHECK(findings_of(old_module(declaration, fetch), value)
                .find("0x0 is no texture or surface object") != std::string::npos);
    }
}

TEST_CASE("what ptxas refuses of declarations is refused", "[emulator][ptx][refusal]") {
  CHECK(old_refusal(".global .u32 n[];\n", "").value == "n");
  CHECK(old_refusal("", ".shared .u32 n[];\n").value == "n");
  CHECK(old_refusal(".entry e(.param .u8 a[]) { ret; }\n", "").value == "a");
  CHECK(old_refusal(".entry e() .noreturn { ret; }\n", "").value == ".noreturn");
  CHECK(old_refusal("", "ld.global.u32 %r1, [%r2];\n").value == "ld.global.u32");
  CHECK(old_refusal("", "st.u32 [%r2], %r1;\n").value == "st.u32");
  CHECK(old_refusal(".const .u32 n;\n", "st.const.u32 [n], %r1;\n").value == "st.const.u32");
}
