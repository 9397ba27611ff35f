// wgmma in time: whose registers and shared memory are while it runs.
#include "emulator/timed_kernel.hpp"
#include "support/catch.hpp"

using namespace jute;
using namespace jute::test;

TEST_CASE("an accumulator belongs to its product until wait_group", "[emulator][async][wgmma]") {
  check_clean(kReady + product("0") + kCommit + kWait + kStore);
  check_named(kReady + product("0") + kCommit + "add.f32 %f9, %f0, %f0;\n" + kWait, "R7",
              {"add.f32"});
  check_named(kReady + product("0") + kCommit + "mov.f32 %f0, 0f00000000;\n" + kWait, "R7",
              {"mov.f32"});
  // Not committed: no group that the wait could end.
  check_named(kReady + product("0") + kWait + kStore, "R7", {"cvt.rzi.s32.f32"});
  // One group may stay on its way, and that is the one which is read.
  check_named(kReady + product("0") + kCommit + "wgmma.wait_group.sync.aligned 1;\n" + kStore, "R7",
              {"cvt.rzi.s32.f32"});
}

TEST_CASE("a mov hands an accumulator on, whenever its value comes", "[emulator][async][wgmma]") {
  const std::string body = kSeven + kReady + product("1") + kCommit +
                           "mov.f32 %f9, %f0;\nmov.f32 %f10, %f9;\n" + kWait +
                           "cvt.rzi.s32.f32 %r20, %f10;\nst.global.u32 [%rd5], %r20;\n";
  for (const Check check : {Check::none, Check::full}) {
    for (const EmulatorOptions& options : every_schedule(check)) {
      const Run result = run(body, options);
      INFO(to_string(result.report));
      CHECK(result.report.clean());
      CHECK(result.out[127] == 7);
    }
  }
}

TEST_CASE("registers that threads have written need wgmma.fence before products use them",
          "[emulator][async][wgmma]") {
  const std::string late = kOperands + kProxyFence + kBarrier + kSeven;
  check_clean(late + kFence + product("1") + product("1") + kCommit + kWait + kStore);
  check_named(late + product("1") + kCommit + kWait, "R7", {kProductName});
  // Scale-d 0 reads none of them.
  check_clean(late + product("0") + kCommit + kWait + kStore);
  // What a thread has read a product may not write before a fence; a mov only hands it on.
  const std::string first = kReady + product("0") + kCommit + kWait;
  check_clean(first + "mov.f32 %f9, %f0;\n" + product("1") + kCommit + kWait);
  check_clean(first + kStore + kFence + product("0") + kCommit + kWait);
  check_named(first + kStore + product("0") + kCommit + kWait, "R7", {kProductName});
}

TEST_CASE("the four warps of a warpgroup issue the same products", "[emulator][async][wgmma]") {
  const std::string finish = kCommit + kWait;
  check_clean(kReady + product("0") + finish);
  const auto by_second_warp = [](const std::string& then) {
    return "shr.u32 %r21, %r1, 5;\nsetp.eq.u32 %p8, %r21, 1;\n@!%p8 bra SAME;\n" + then + "SAME:\n";
  };
  check_named(kReady + by_second_warp("add.s64 %rd10, %rd10, 16;\n") + product("0") + finish, "P6",
              {kProductName, kProductName});
  check_named(kReady + "setp.ne.u32 %p9, %r1, 999;\n" +
                  by_second_warp("setp.eq.u32 %p9, %r1, 999;\n") + product("%p9") + finish,
              "P6", {kProductName, kProductName});
  check_named(kReady + by_second_warp("bra OTHER;\n") + product("0") + "bra DONE;\nOTHER:\n" +
                  product("0") + "DONE:\n" + finish,
              "P6", {kProductName, kProductName});
  check_named(kReady + by_second_warp("bra DONE;\n") + product("0") + finish + "DONE:\n", "P6",
              {kProductName});
  check_named(kReady + "setp.eq.u32 %p8, %r1, 40;\n@%p8 add.s64 %rd10, %rd10, 16;\n" +
                  product("0") + finish,
              "P6", {kProductName});
}

TEST_CASE("shared memory that a product reads is rewritten only behind its wait and a barrier",
          "[emulator][async][wgmma]") {
  const std::string rewrite = "st.shared.u32 [%r5], %r1;\n";
  const std::string issue = kReady + product("0") + kCommit;
  check_clean(issue + kWait + kBarrier + rewrite);
  check_named(issue + rewrite + kWait, "R6", {"st.shared.u32", kProductName});
  check_named(issue + kBarrier + rewrite + kWait, "R6", {"st.shared.u32", kProductName});
  check_named(issue + kWait + rewrite, "R6", {"st.shared.u32", kProductName});
}

TEST_CASE("a constant behind the fence is told as the compiler's move, with how to pin it",
          "[emulator][async][wgmma]") {
  const auto told = [](const std::string& body) {
    const Run result = run(body, {});
    const Finding* const found = find(result.report, "R7");
    return found == nullptr ? std::string() : found->message;
  };
  const std::string pin = "the compiler has moved the constant behind it";
  const std::string rest = product("1") + kCommit + kWait;
  CHECK(told(kReady + kSeven + rest).find(pin) != std::string::npos);
  const std::string sums =
      "add.f32 %f0, %f8, %f8;\nadd.f32 %f1, %f0, %f0;\nadd.f32 %f2, %f0, %f0;\n"
      "add.f32 %f3, %f0, %f0;\n";
  const std::string computed = told("mov.f32 %f8, 0f00000000;\n" + kReady + sums + rest);
  CHECK(computed.find("no wgmma.fence lies between") != std::string::npos);
  CHECK(computed.find(pin) == std::string::npos);
}
