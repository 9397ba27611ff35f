// The PTX reader: what it takes, how it refuses, and that no mutation of a text breaks it.
#include <jute/emulator/ptx.hpp>
#include <random>

#include "emulator/run_ptx.hpp"
#include "support/catch.hpp"
#include "support/refusal.hpp"

using namespace jute;
using namespace jute::test;

namespace {

const char* const kHeader = ".version 8.0\n.target sm_90a\n.address_size 64\n";

Error refusal_of_body(const std::string& body) {
  const std::string text = std::string(kHeader) +
                           ".entry k(.param .u64 p)\n{\n.reg .b32 %r<9>;\n.reg .pred %p<3>;\n" +
                           body + "\nret;\n}\n";
  return refusal_of([&] { return open_emulator()->load(binary_from_ptx(text)); });
}

}  // namespace

TEST_CASE("kernels are listed with parameters, bounds and shared memory", "[emulator][ptx]") {
  const auto kernels = list_kernels(read_ptx("scalars.ptx"));
  REQUIRE(kernels.size() == 13);
  const auto find = [&](const std::string& name) {
    for (const PtxKernel& kernel : kernels)
      if (kernel.symbol == name) return kernel;
    return PtxKernel{};
  };
  CHECK(find("block_sum").signature.parameters.size() == 3);
  CHECK(size_bytes(find("block_sum").signature.parameters[2].kind) == 4);
  CHECK(find("block_sum").static_smem_bytes == 4);
  CHECK(find("integers").target == Arch{90, 'a'});
  CHECK(list_kernels(read_ptx("tiled_gemm.ptx"))[0].max_threads == std::array<int, 3>{256, 1, 1});
  const Error error =
      refusal_of([] { return binary_from_ptx(read_ptx("scalars.ptx"), "nothing"); });
  CHECK(error.code == ErrorCode::unknown_name);
  CHECK(error.violated_rules[0].find("block_sum") != std::string::npos);
}

TEST_CASE("nested scopes shadow registers and labels", "[emulator][ptx]") {
  const std::string text = std::string(kHeader) + R"(
.visible .entry k(.param .u64 p) {
  .reg .b32 r, s; .reg .b64 a; .reg .pred q;
  ld.param.u64 a, [p]; mov.u32 r, 1; mov.u32 s, 0;
  { .reg .b32 r; .reg .pred p; mov.u32 r, 5;
    L: add.u32 s, s, r; sub.u32 r, r, 1; setp.ne.u32 p, r, 0; @p bra L; bra.uni D; add.u32 s, s, 1000; D:
  }
  { .reg .b32 r;
    mov.u32 r, 3;
    L: add.u32 s, s, 100; sub.u32 r, r,
       1; setp.ne.u32 q, r, 0;
    @q bra L; }
  add.u32 s, s, r; st.global.u32 [a], s; /* a comment */ ret; // and another
})";
  Bench bench;
  const auto out = bench.alloc(4);
  bench.run(text, "k", {1, 1, 1}, {1, 1, 1}, ArgumentBlock().pointer(out));
  CHECK(bench.backend->take_report().clean());
  CHECK(bench.download<int>(out, 1)[0] == 15 + 300 + 1);
}

TEST_CASE("branch tables, several labels and carry chains run", "[emulator][ptx]") {
  const std::string text = std::string(kHeader) + R"(
.visible .entry k(.param .u64 p) {
  .reg .b32 %r<16>; .reg .b64 %rd<8>; .reg .pred %p<4>;
  ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; and.b32 %r2, %r1, 3;
  T: .branchtargets A, B, C, B;
  brx.idx %r2, T;
  A: mov.u32 %r3, 10; bra E;
  B: mov.u32 %r3, 20; bra E;
  C: mov.u32 %r3, 30;
  E: F:
  add.cc.u32 %r4, %r3, -15; addc.u32 %r5, 7, 0;
  sub.cc.u32 %r6, %r3, 15; subc.u32 %r7, 0, 0;
  setp.lt.and.u32 %p1|%p2, %r3, 25, 1;
  selp.u32 %r8, 1, 0, %p1; selp.u32 %r9, 2, 0, %p2;
  mad.lo.u32 %r10, %r5, 1000, %r8; add.u32 %r10, %r10, %r9;
  sub.u32 %r10, %r10, %r7;
  mul.wide.u32 %rd2, %r1, 4; add.s64 %rd1, %rd1, %rd2; st.global.u32 [%rd1], %r10; ret;
})";
  Bench bench;
  const auto out = bench.alloc(16 * 4);
  bench.run(text, "k", {1, 1, 1}, {16, 1, 1}, ArgumentBlock().pointer(out));
  CHECK(bench.backend->take_report().clean());
  const auto got = bench.download<int>(out, 16);
  for (size_t i = 0; i < 16; ++i) {
    const unsigned x = i % 4 == 0 ? 10 : i % 4 == 2 ? 30 : 20;
    const int carry = x + 0xFFFFFFF1ULL > 0xFFFFFFFFULL ? 1 : 0;
    CHECK(got[i] == (7 + carry) * 1000 + (x < 25 ? 1 : 2) + (x < 15 ? 1 : 0));
  }
}

TEST_CASE("a refusal names the opcode, its line and its column", "[emulator][ptx][refusal]") {
  const Error unknown = refusal_of_body("  frobnicate.u32 %r1, %r2;");
  CHECK(unknown.code == ErrorCode::bad_file);
  CHECK(unknown.value == "frobnicate.u32");
  REQUIRE(unknown.position);
  CHECK(*unknown.position == SourcePosition{8, 3});
  CHECK(refusal_of_body("add.q32 %r1, %r2, %r3;").value == "add.q32");
  CHECK(refusal_of_body("ld.global.wrong.u32 %r1, [%r2];").violated_rules[0].find(".wrong") !=
        std::string::npos);
  CHECK(refusal_of_body("add.u32 %r1, %r2;").violated_rules[0].find("3 operands") !=
        std::string::npos);
  CHECK(refusal_of_body("add.u64 %r1, %r2, %r3;").violated_rules[0].find("32-bit") !=
        std::string::npos);
  CHECK(refusal_of_body("bra NOWHERE;").code == ErrorCode::bad_file);
  CHECK(refusal_of_body("mov.u32 %r1, %undeclared;").code == ErrorCode::bad_file);
  CHECK(refusal_of_body("add.u32 %r1, %r2, %r3").code == ErrorCode::bad_file);
  CHECK(refusal_of_body("mov.u32 %r1, 0q12;").code == ErrorCode::bad_file);
  CHECK(refusal_of([] { return list_kernels("hello"); }).code == ErrorCode::bad_file);
}

TEST_CASE("an instruction that the target lacks is refused", "[emulator][ptx][refusal]") {
  const std::string text =
      ".version 8.0\n.target sm_75\n.address_size 64\n.entry k()\n{\ncp.async.wait_all;\nret;\n}\n";
  const Error error = refusal_of([&] { return open_emulator()->load(binary_from_ptx(text)); });
  CHECK(error.value == "cp.async.wait_all");
  CHECK(error.violated_rules[0].find("sm_80") != std::string::npos);
}

TEST_CASE("mutated texts are read or refused, never worse", "[emulator][ptx]") {
  const auto backend = open_emulator();
  std::mt19937 random(1);
  int taken = 0, refused = 0;
  for (const char* name : {"scalars.ptx", "multistage_gemm.ptx"}) {
    const std::string original = read_ptx(name);
    for (int round = 0; round < 60; ++round) {
      std::string text = original;
      const int edits = 1 + static_cast<int>(random() % 4);
      for (int i = 0; i < edits; ++i) {
        const size_t at = random() % text.size();
        switch (random() % 5) {
          case 0:
            text.erase(at, 1 + random() % 40);
            break;
          case 1:
            text.insert(at, 1, static_cast<char>(random() % 256));
            break;
          case 2:
            text[at] = static_cast<char>(32 + random() % 95);
            break;
          case 3:
            text.insert(at, text.substr(random() % text.size(), random() % 60));
            break;
          default:
            text.resize(at);
            break;
        }
        if (text.empty()) break;
      }
      try {
        for (const PtxKernel& kernel : list_kernels(text)) {
          (void)backend->load(binary_from_ptx(text, kernel.symbol));
          ++taken;
        }
      } catch (const Exception&) {
        ++refused;
      }
    }
  }
  CHECK(taken + refused >= 120);
}

TEST_CASE("deep nesting and huge counts are refused without harm", "[emulator][ptx]") {
  const std::string deep(100000, '(');
  for (const std::string& body :
       {std::string(100000, '{'), "mov.u32 %r1, " + deep,
        "ld.global.u32 %r1, " + std::string(100000, '['), "@" + std::string(100000, '!'),
        std::string(".reg .b32 %x<999999999>;"), std::string(".shared .b8 x[99999999999];"),
        ".shared .b8 x[" + deep}) {
    CHECK(refusal_of_body(body).code == ErrorCode::bad_file);
  }
  CHECK(refusal_of([] {
          return list_kernels(std::string(kHeader) +
                              ".global .b8 x[] = " + std::string(100000, '{'));
        }).code == ErrorCode::bad_file);
}
