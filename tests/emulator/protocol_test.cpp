// Rules of warps and blocks that no data shows.
#include "emulator/timed_kernel.hpp"
#include "support/catch.hpp"

using namespace jute;
using namespace jute::test;

TEST_CASE("a shuffle takes from lanes that its mask names and that execute it",
          "[emulator][check][collective]") {
  const std::string first = "setp.lt.u32 %p4, %r1, 4;\n@!%p4 bra SKIP;\n";
  const auto shuffle = [](const std::string& from) {
    return "shfl.sync.idx.b32 %r20, %r1, " + from + ", 31, 15;\n";
  };
  const Shape warp{.threads = 32};
  check_clean(first + shuffle("3") + "SKIP:\n", warp);
  check_named(first + shuffle("5") + "SKIP:\n", "P10", {"shfl.sync.idx.b32"}, warp);
  check_named("vote.sync.ballot.b32 %r20, %p1, 0xfffffffd;\n", "P10", {"vote.sync.ballot.b32"},
              warp);
}

TEST_CASE("the warps' setmaxnreg sum to what the block has", "[emulator][check][registers]") {
  const auto body = [](const std::string& most, const std::string& who) {
    return "setp.lt.u32 %p4, %r1, " + who + ";\n@%p4 bra PRODUCER;\n" +
           "setmaxnreg.inc.sync.aligned.u32 " + most + ";\nbra DONE;\n" +
           "PRODUCER:\nsetmaxnreg.dec.sync.aligned.u32 40;\nDONE:\n";
  };
  const Shape three{.threads = 384};
  check_clean(body("232", "128"), three);
  check_named(body("240", "128"), "P5", {"setmaxnreg.inc.sync.aligned.u32"}, three);
  check_named(body("232", "96"), "P5", {"setmaxnreg.inc.sync.aligned.u32"}, three);
}

TEST_CASE("a bulk prefetch names 16 bytes at a time and needs nothing else",
          "[emulator][check][protocol]") {
  const auto fetch = [](const std::string& from, const std::string& bytes) {
    return "@%p1 cp.async.bulk.prefetch.L2.global [" + from + "], " + bytes + ";\n";
  };
  check_clean(fetch("%rd1", "512") + fetch("%rd1+16", "32"));
  const char* const name = "cp.async.bulk.prefetch.L2.global";
  check_named(fetch("%rd1+4", "512"), "M2", {name});
  check_named(fetch("%rd1", "24"), "M2", {name});
}

TEST_CASE("every warp of a warpgroup, and every lane of them, executes setmaxnreg",
          "[emulator][check][registers]") {
  const std::string give = "setmaxnreg.dec.sync.aligned.u32 40;\n";
  const std::string take = "setmaxnreg.inc.sync.aligned.u32 232;\n";
  const auto only = [](const std::string& threads, const std::string& what) {
    return "setp.ge.u32 %p4, %r1, " + threads + ";\n@%p4 bra PAST;\n" + what + "PAST:\n";
  };
  const Shape group{.threads = 128};
  const auto told = [&](const std::string& body, const char* code) {
    const Run result = run(body, {}, group);
    const Finding* const found = find(result.report, code);
    return found == nullptr ? std::string() : found->message;
  };
  check_clean(give, group);
  check_clean(give + take, {.threads = 128});
  CHECK(told(only("96", give), "P5") ==
        "warp 3 of the block does not execute setmaxnreg 40, which warp 0 of its warpgroup does: "
        "all four must");
  // Two warps give away, and then all four take.
  CHECK(told(only("64", give) + take, "P5").starts_with("setmaxnreg 232 by a warp beside one"));
  check_named(only("112", give), "P4", {"setmaxnreg.dec.sync.aligned.u32"}, group);
  check_named("setp.lt.u32 %p4, %r1, 112;\n@%p4 " + give, "P4", {"setmaxnreg.dec.sync.aligned.u32"},
              group);
}
