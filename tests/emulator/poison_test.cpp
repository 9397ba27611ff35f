// Values that were never written are named where they are used.
#include "emulator/timed_kernel.hpp"
#include "support/catch.hpp"

using namespace jute;
using namespace jute::test;

TEST_CASE("a value that was never written is named where it is used, not where it is copied",
          "[emulator][check][poison]") {
  const std::string load = "ld.shared.u32 %r20, [%r5];\n";
  const std::string use = "st.global.u32 [%rd5], ";
  EmulatorOptions options;
  const auto finding = [&](const std::string& body) {
    const Run result = run(body, options);
    const Finding* const found = find(result.report, "M3");
    return found == nullptr ? std::vector<Party>{} : found->parties;
  };
  CHECK(finding(load).empty());
  CHECK(finding(load + "add.u32 %r21, %r20, 1;\nmov.u32 %r22, %r21;\n").empty());
  const auto parties = finding(load + "add.u32 %r21, %r20, 1;\n" + use + "%r21;\n");
  REQUIRE(parties.size() == 2);
  CHECK(parties[0].text == "st.global.u32");
  CHECK(parties[1].text == "ld.shared.u32");
  CHECK(!finding(load + "setp.eq.u32 %p4, %r20, 0;\n@%p4 st.global.u32 [%rd5], 1;\n").empty());
  CHECK(!finding(load + "and.b32 %r21, %r20, 4;\nadd.u32 %r21, %r2, %r21;\nld.shared.u32 %r22, "
                        "[%r21];\n")
             .empty());
  // What a selection leaves out, and what a false condition masks, nobody uses.
  CHECK(
      finding(load + "setp.gt.u32 %p4, %r1, 999;\nselp.u32 %r21, %r20, 5, %p4;\n" + use + "%r21;\n")
          .empty());
  CHECK(finding(load + "setp.gt.u32 %p4, %r1, 999;\nsetp.eq.u32 %p5, %r20, 0;\nand.pred %p6, %p4, "
                       "%p5;\n@%p6 st.global.u32 [%rd5], 1;\n")
            .empty());
  // Through a block's own memory, and through a shuffle.
  CHECK(finding(load + "st.shared.u32 [%r5+4096], %r20;\n").empty());
  CHECK(!finding(load + "st.shared.u32 [%r5+4096], %r20;\nld.shared.u32 %r21, [%r5+4096];\n" + use +
                 "%r21;\n")
             .empty());
  CHECK(!finding(load + "shfl.sync.bfly.b32 %r21, %r20, 1, 31, -1;\n" + use + "%r21;\n").empty());
  // One lane of each warp loads; only what comes from there is without a value.
  const std::string one =
      "and.b32 %r23, %r1, 31;\nsetp.eq.u32 %p4, %r23, 0;\nmov.u32 %r20, 3;\n"
      "@%p4 ld.shared.u32 %r20, [%r5];\n";
  CHECK(finding(one + "shfl.sync.idx.b32 %r21, %r20, 5, 31, -1;\n" + use + "%r21;\n").empty());
  CHECK(!finding(one + "shfl.sync.idx.b32 %r21, %r20, 0, 31, -1;\n" + use + "%r21;\n").empty());
}

TEST_CASE("what a value that was never written chooses has no value either",
          "[emulator][check][poison]") {
  const std::string load = "ld.shared.u32 %r20, [%r5];\nsetp.eq.u32 %p4, %r20, 77;\n";
  const std::string use = "st.global.u32 [%rd5], ";
  const auto is_found = [](const std::string& body) {
    const Run result = run(body, {});
    return find(result.report, "M3") != nullptr;
  };
  // By a guard, and by a branch around computation, on either way and in branches inside.
  const std::string guard = "mov.u32 %r21, 1;\n@%p4 mov.u32 %r21, 2;\n";
  CHECK(!is_found(load + guard));
  CHECK(!is_found(load + guard + use + "%r1;\n"));
  CHECK(is_found(load + guard + use + "%r21;\n"));
  const std::string branch =
      "mov.u32 %r21, 1;\nmov.u32 %r22, 1;\nmov.u32 %r23, 1;\n@%p4 bra MINE;\n"
      "setp.gt.u32 %p5, %r1, 3;\n@%p5 bra YOURS;\nmov.u32 %r21, 2;\nYOURS:\n"
      "add.u32 %r24, %r1, 5;\nbra.uni BOTH;\nMINE:\nmov.u32 %r22, 2;\nBOTH:\n";
  CHECK(!is_found(load + branch));
  CHECK(!is_found(load + branch + use + "%r23;\n"));
  CHECK(is_found(load + branch + use + "%r21;\n"));
  CHECK(is_found(load + branch + use + "%r22;\n"));
  // What is computed behind it from other values is known.
  CHECK(!is_found(load + branch + "mov.u32 %r21, 3;\n" + use + "%r21;\n"));
  // A store, and a way back, are no computation.
  CHECK(is_found(load + "@%p4 bra PAST;\n" + use + "%r1;\nPAST:\n"));
  CHECK(is_found("mov.u32 %r21, 0;\nBACK:\nadd.u32 %r21, %r21, 1;\n" + load +
                 "setp.eq.u32 %p5, %r21, 9;\n@%p5 bra OUT;\n@!%p4 bra BACK;\nOUT:\n"));
}

TEST_CASE("what is computed of a register that was never set is named where it is used",
          "[emulator][check][poison]") {
  const auto found = [](const std::string& body) {
    const Run result = run(body, {});
    const Finding* const finding = find(result.report, "M3");
    return finding == nullptr ? std::string() : finding->message;
  };
  const std::string told = "a value is used that comes from a register that was never set, %r20";
  const std::string computed = "mad.lo.s32 %r21, %r20, 3, %r1;\n";
  CHECK(found(computed) == "");
  CHECK(found(computed + "st.global.u32 [%rd5], %r21;\n") == told);
  CHECK(found("setp.eq.u32 %p4, %r20, 0;\n@%p4 st.global.u32 [%rd5], %r1;\n") == told);
  CHECK(found("ld.shared.u32 %r21, [%r20];\n") == told);
  // A compiler computes ahead, and chooses afterwards.
  CHECK(found(computed + "setp.lt.u32 %p4, %r1, 999;\nselp.b32 %r22, %r1, %r21, %p4;\n"
                         "st.global.u32 [%rd5], %r22;\n") == "");
}

TEST_CASE("a guard that was never set is named where more than computation hangs on it",
          "[emulator][check][poison]") {
  const auto found = [](const std::string& body) {
    const Run result = run(body, {});
    const Finding* const finding = find(result.report, "M3");
    return finding == nullptr ? std::string() : finding->message;
  };
  const std::string told = "a value is used that comes from a register that was never set, %p7";
  for (const char* guard : {"@%p7 ", "@!%p7 "}) {
    INFO(guard);
    CHECK(found(guard + std::string("st.global.u32 [%rd5], %r1;\n")) == told);
    CHECK(found(guard + std::string("bra PAST;\nst.global.u32 [%rd5], %r1;\nPAST:\n")) == told);
    const std::string chosen =
        "mov.u32 %r21, 1;\n" + std::string(guard) + "add.u32 %r21, %r21, 2;\n";
    CHECK(found(chosen) == "");
    CHECK(found(chosen + "st.global.u32 [%rd5], %r21;\n") == told);
  }
  // Set in the lanes that ask.
  CHECK(found("setp.eq.u32 %p4, %r1, 0;\n@%p4 setp.eq.u32 %p7, %r1, 0;\n@!%p4 bra PAST;\n"
              "@%p7 st.global.u32 [%rd5], %r1;\nPAST:\n") == "");
}

TEST_CASE("a register that was never set may lie in shared memory, as long as nobody uses it",
          "[emulator][check][poison]") {
  // The first lane of each warp sets %r20; all of them store it.
  const std::string store =
      "and.b32 %r23, %r1, 31;\nsetp.eq.u32 %p4, %r23, 0;\n@%p4 mov.u32 %r20, 3;\n"
      "st.shared.u32 [%r5], %r20;\n";
  const auto found = [](const std::string& body) {
    const Run result = run(body, {});
    const Finding* const finding = find(result.report, "M3");
    return finding == nullptr ? std::string() : finding->message;
  };
  CHECK(found(store) == "");
  CHECK(found(store + "@%p4 ld.shared.u32 %r21, [%r5];\n@%p4 st.global.u32 [%rd5], %r21;\n") == "");
  CHECK(found(store + "ld.shared.u32 %r21, [%r5];\nst.global.u32 [%rd5], %r21;\n") ==
        "a value is used that comes from a load of 4 bytes of shared memory that were never all "
        "written");
  CHECK(found("@%p1 mov.u32 %r20, 3;\nst.global.u32 [%rd5], %r20;\n") ==
        "a value is used that comes from a register that was never set, %r20");
}

TEST_CASE("a copy of a register that was never set is as little set", "[emulator][check][poison]") {
  const auto found = [](const std::string& body) {
    return find(run(body, {}).report, "M3") != nullptr;
  };
  const std::string store = "st.global.u32 [%rd5], %r21;\n";
  for (const char* copy : {
           "mov.u32 %r21, %r20;\n",
           "mov.b64 %rd20, {%r20, %r1};\nmov.b64 {%r21, %r22}, %rd20;\n",
           "mov.b64 %rd20, {%r1, %r20};\nmov.b64 {%r22, %r21}, %rd20;\n",
           "prmt.b32 %r21, %r20, %r1, 0x3210;\n",
           "mov.b32 {%h1, %h2}, %r20;\nmov.b32 %r21, {%h2, %h1};\n",
           "cvt.rn.bf16x2.f32 %r21, %f20, %f21;\n",
           "shfl.sync.bfly.b32 %r21, %r20, 1, 31, -1;\n",
           "mov.u32 %r21, %r20;\nshfl.sync.bfly.b32 %r21, %r21, 1, 31, -1;\n",
           "cvt.u64.u32 %rd20, %r20;\ncvt.u32.u64 %r21, %rd20;\n",
       }) {
    const std::string body = ".reg .b16 %h<4>;\n" + std::string(copy);
    INFO(copy);
    CHECK(!found(body));
    CHECK(found(body + store));
    CHECK(found(body + "add.u32 %r22, %r2, %r21;\nld.shared.u32 %r23, [%r22];\n"));
    CHECK(found(body + "setp.eq.u32 %p4, %r21, 7;\n@%p4 st.global.u32 [%rd5], %r1;\n"));
  }
  // Of what is packed the rest keeps its value, a part of a word that nobody set may be stored …
  const std::string pair = "mov.b64 %rd20, {%r1, %r20};\n";
  CHECK(!found(pair + "mov.b64 {%r21, %r22}, %rd20;\n" + store));
  CHECK(!found(pair + "cvt.u32.u64 %r21, %rd20;\n" + store));
  CHECK(found(pair + "st.global.u64 [%rd2], %rd20;\n"));
  const std::string half = ".reg .b16 %h<4>;\nmov.u16 %h1, 5;\nmov.b32 %r21, {%h1, %h2};\n";
  CHECK(!found(half + store));
  // … and stays unset there.
  const std::string kept = half + "st.shared.u32 [%r5+4096], %r21;\nld.shared.u16 %h3, [%r5+";
  CHECK(!found(kept + "4096];\nst.global.u16 [%rd5], %h3;\n"));
  CHECK(found(kept + "4098];\nst.global.u16 [%rd5], %h3;\n"));
  CHECK(!found("and.b32 %r21, %r20, 0;\n" + store));
  CHECK(!found("xor.b32 %r21, %r20, %r20;\n" + store));
  CHECK(!found("mul.lo.u32 %r21, %r20, 0;\n" + store));
  CHECK(!found("mov.u32 %r22, 0;\nmad.lo.u32 %r21, %r20, %r22, %r1;\n" + store));
  CHECK(found("mov.u32 %r22, 0;\nmad.lo.u32 %r21, %r1, %r22, %r20;\n" + store));
}

TEST_CASE("an accumulator that nobody set is named where its product is used",
          "[emulator][check][poison]") {
  const auto found = [](const std::string& body) {
    const Run result = run(body, {});
    const Finding* const finding = find(result.report, "M3");
    return finding == nullptr ? std::string() : finding->message;
  };
  const std::string moved =
      "mov.f32 %f0, %f8;\nmov.f32 %f1, %f0;\nmov.f32 %f2, %f0;\n"
      "mov.f32 %f3, %f0;\n";
  const std::string told = "a value is used that comes from a register that was never set, %f8";
  const std::string finish = kCommit + kWait;
  CHECK(found(moved + kReady + product("1") + finish) == "");
  CHECK(found(moved + kReady + product("1") + finish + kStore) == told);
  CHECK(found(moved + kReady + product("0") + finish + kStore) == "");
  CHECK(found(kReady + product("1") + finish + kStore) ==
        "a value is used that comes from a register that was never set, %f0");
  const std::string mma =
      "mov.u32 %r30, 0;\nmma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {%f4, %f5, %f6, %f7}, "
      "{%r30, %r30}, {%r30}, {%f0, %f1, %f2, %f3};\n";
  CHECK(found(moved + mma) == told);
}
