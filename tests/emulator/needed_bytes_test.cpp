// A load that is wider than what its kernel uses: only the bytes that matter must have been
// written.
#include "emulator/decode/needed_bytes.hpp"

#include "emulator/run_ptx.hpp"
#include "support/catch.hpp"

#include <algorithm>

using namespace jute;
using namespace jute::test;

namespace {

/// One warp: bytes 0 to 7 and 12 to 15 of shared memory are written, 8 to 11 are a gap, all 16 are
/// loaded in one access. `body` may use %r10 … %r13 and stores %r20.
Report report_of(const std::string& body) {
  const std::string ptx =
      ".version 8.0\n.target sm_90a\n.address_size 64\n"
      ".visible .entry k(.param .u64 out)\n{\n"
      ".shared .align 16 .b8 sm[16];\n"
      ".reg .b32 %r<32>;\n.reg .b16 %rs<8>;\n.reg .b64 %rd<8>;\n.reg .pred %p<2>;\n.reg .b128 "
      "%q<2>;\n"
      "ld.param.u64 %rd1, [out];\nmov.u32 %r1, sm;\nmov.u32 %r2, 7;\n"
      "st.shared.v2.u32 [%r1], {%r2, %r2};\nst.shared.u32 [%r1+12], %r2;\nmov.u32 %r20, 1;\n"
      "ld.shared.v4.u32 {%r10, %r11, %r12, %r13}, [%r1];\n" +
      body + "st.global.u32 [%rd1], %r20;\nret;\n}\n";
  Bench bench;
  bench.run(ptx, "k", {1, 1, 1}, {1, 1, 1}, ArgumentBlock().pointer(bench.alloc(64)));
  return bench.backend->take_report();
}

bool finds_unwritten(const std::string& body) {
  const Report report = report_of(body);
  return std::ranges::any_of(report.findings,
                             [](const Finding& finding) { return finding.code == "M3"; });
}

}  // namespace

TEST_CASE("bytes that are fetched and not used need not have been written",
          "[emulator][check][needed_bytes]") {
  for (const char* body : {
           "add.u32 %r20, %r10, %r13;\n",
           "mov.b32 %r14, %r12;\nadd.u32 %r20, %r10, %r11;\n",
           "mov.b32 {%rs1, %rs2}, %r12;\nadd.u32 %r20, %r10, %r11;\n",
           "and.b32 %r14, %r12, 0;\nadd.u32 %r20, %r10, %r14;\n",
           "mov.b64 %rd2, {%r11, %r12};\ncvt.u32.u64 %r20, %rd2;\n",
           "mov.b64 %rd2, {%r12, %r13};\nshr.u64 %rd3, %rd2, 32;\ncvt.u32.u64 %r20, %rd3;\n",
           "prmt.b32 %r20, %r11, %r12, 0x3210;\n",
           "mov.b32 %r14, %r12;\nmul.lo.u32 %r20, %r14, 0;\n",
           "ld.shared.v2.b64 {%rd2, %rd3}, [%r1];\nmov.b128 %q0, {%rd2, %rd3};\n"
           "mov.b128 {%rd4, %rd5}, %q0;\ncvt.u32.u64 %r20, %rd4;\n",
       }) {
    INFO(body);
    CHECK_FALSE(finds_unwritten(body));
  }
}

TEST_CASE("bytes that decide anything must have been written", "[emulator][check][needed_bytes]") {
  for (const char* body : {
           "add.u32 %r20, %r10, %r12;\n",
           "ld.shared.v2.b64 {%rd2, %rd3}, [%r1];\nmov.b128 %q0, {%rd2, %rd3};\n"
           "mov.b128 {%rd4, %rd5}, %q0;\ncvt.u32.u64 %r20, %rd5;\n",
           "mov.b32 %r20, %r12;\n",
           "setp.eq.u32 %p1, %r12, 3;\n@%p1 mov.u32 %r20, 5;\n",
           "mov.b32 {%rs1, %rs2}, %r12;\ncvt.u32.u16 %r20, %rs2;\n",
           "mov.b64 %rd2, {%r12, %r13};\ncvt.u32.u64 %r20, %rd2;\n",
           "and.b32 %r20, %r12, 0xFF00;\n",
           "shr.u32 %r20, %r12, 24;\n",
           "shr.u32 %r20, %r12, 3;\n",
           "prmt.b32 %r20, %r11, %r12, 0x3214;\n",
           "add.u32 %r14, %r1, %r12;\nld.shared.u32 %r20, [%r14];\n",
       }) {
    INFO(body);
    CHECK(finds_unwritten(body));
  }
}

TEST_CASE("fields and funnels need the bytes that they take alone",
          "[emulator][check][needed_bytes]") {
  // Of %r14 the low half has a value.
  const std::string half =
      "mov.b32 {%rs1, %rs3}, %r11;\nmov.b32 {%rs2, %rs4}, %r12;\nmov.b32 %r14, {%rs1, %rs2};\n";
  for (const char* body : {
           "bfe.u32 %r20, %r14, 0, 16;\n",
           "bfe.u32 %r20, %r14, 8, 8;\n",
           "bfe.s32 %r20, %r14, 8, 8;\n",
           "bfe.u32 %r20, %r14, 16, 0;\n",
           "bfi.b32 %r20, %r14, %r11, 16, 16;\n",
           "bfi.b32 %r20, %r11, %r14, 16, 16;\n",
           "shf.l.wrap.b32 %r20, %r11, %r14, 16;\n",
           "shf.r.wrap.b32 %r20, %r11, %r14, 48;\n",
           "shf.r.clamp.b32 %r20, %r12, %r11, 48;\n",
           "dp2a.lo.u32.u32 %r20, %r11, %r14, %r10;\n",
           "dp2a.lo.u32.u32 %r20, %r14, 0x77770055, %r10;\n",
           "dp4a.u32.u32 %r20, %r14, 0x1234, %r10;\n",
           "dp4a.u32.u32 %r20, 0x1234, %r14, %r10;\n",
       }) {
    INFO(body);
    CHECK_FALSE(finds_unwritten(half + body));
  }
  for (const char* body : {
           "bfe.u32 %r20, %r14, 12, 8;\n",
           "bfe.s32 %r20, %r14, 8, 12;\n",
           "bfe.u32 %r20, %r14, %r11, 8;\n",
           "bfi.b32 %r20, %r14, %r11, 0, 24;\n",
           "bfi.b32 %r20, %r11, %r14, 0, 16;\n",
           "shf.l.wrap.b32 %r20, %r11, %r14, 15;\n",
           "shf.r.wrap.b32 %r20, %r11, %r14, 49;\n",
           "shf.l.wrap.b32 %r20, %r14, %r11, 16;\n",
           "dp2a.hi.u32.u32 %r20, %r11, %r14, %r10;\n",
           "dp2a.lo.u32.u32 %r20, %r14, %r11, %r10;\n",
           "dp2a.lo.u32.u32 %r20, %r11, %r10, %r14;\n",
           "dp2a.lo.u32.u32 %r20, %r14, 0x77770155, %r10;\n",
           "dp4a.u32.u32 %r20, %r14, 0x11234, %r10;\n",
           "dp4a.u32.u32 %r20, %r11, %r14, %r10;\n",
       }) {
    INFO(body);
    CHECK(finds_unwritten(half + body));
  }
}

TEST_CASE("a load of which nothing is used harms nobody", "[emulator][check][needed_bytes]") {
  CHECK_FALSE(finds_unwritten(""));
}
