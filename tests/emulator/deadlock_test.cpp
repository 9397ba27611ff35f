// Kernels in which nobody can go on.
#include "emulator/timed_kernel.hpp"
#include "support/catch.hpp"

using namespace jute;
using namespace jute::test;

TEST_CASE("a block that waits for one that does not fit on the chip is a deadlock",
          "[emulator][check][deadlock]") {
  const std::string body = message("st.release.gpu.global.u32", "ld.acquire.gpu.global.u32", "");
  EmulatorOptions options;
  options.resident_blocks = 2;
  CHECK(run(body, options, {.blocks = 2, .threads = 32}).report.clean());
  options.resident_blocks = 1;
  const Run alone = run(body, options, {.blocks = 2, .threads = 32});
  REQUIRE(find(alone.report, "P12") != nullptr);
  const std::string& message_of_alone = find(alone.report, "P12")->message;
  CHECK(message_of_alone.find("1 blocks of the grid have not started") != std::string::npos);
  CHECK(message_of_alone.find(
            "they wait in a circle: block 0 warp 0 polls memory -> block 1 has not "
            "started and waits for a place on the chip -> block 0 warp 0") != std::string::npos);
}

TEST_CASE("lanes of a warp go on while others of it wait for them", "[emulator][check][deadlock]") {
  const Shape warp{.threads = 32};
  const std::string second = "setp.ge.u32 %p3, %r1, 16;\n";
  // Half of the lanes poll, at the lower place, what the others have yet to write, or to count.
  check_clean(second +
                  "@%p3 bra WRITE;\nWAIT:\nld.volatile.global.u32 %r6, [%rd2];\n"
                  "setp.ne.u32 %p4, %r6, 7;\n@%p4 bra WAIT;\nbra DONE;\nWRITE:\n"
                  "st.volatile.global.u32 [%rd2], 7;\nDONE:\n",
              warp);
  check_clean("@%p1 mbarrier.init.shared.b64 [%r3], 16;\nbar.sync 0;\n" + second +
                  "@%p3 bra COUNT;\nWAIT:\nmbarrier.test_wait.parity.shared.b64 %p4, [%r3], 0;\n"
                  "@!%p4 bra WAIT;\nbra DONE;\nCOUNT:\nmbarrier.arrive.shared.b64 %rd6, [%r3];\n"
                  "DONE:\n",
              warp);
  // A lock that each lane takes alone; what waits for it stores or not.
  for (const std::string waiting : {"", "st.global.u32 [%rd4], 1;\n"}) {
    const std::string body =
        "mov.u32 %r7, 1;\nTAKE:\natom.acquire.gpu.global.cas.b32 %r6, [%rd2], -1, %r7;\n"
        "setp.eq.s32 %p4, %r6, -1;\n@%p4 bra TAKEN;\n" +
        waiting +
        "bra TAKE;\nTAKEN:\nld.global.u32 %r8, [%rd2+4];\n"
        "add.u32 %r8, %r8, 1;\nst.global.u32 [%rd2+4], %r8;\n"
        "atom.release.gpu.global.exch.b32 %r6, [%rd2], -1;\n";
    for (const EmulatorOptions& options : every_schedule()) {
      const Run result = run(body, options, warp);
      INFO(to_string(result.report));
      CHECK(result.report.clean());
      CHECK(result.out[1] == 31);  // from -1 on
    }
  }
  // Nobody is left to write: lanes that wait at two places are a deadlock still.
  check_named(second +
                  "@%p3 bra OTHER;\nWAIT:\nld.volatile.global.u32 %r6, [%rd2];\n"
                  "setp.ne.u32 %p4, %r6, 7;\n@%p4 bra WAIT;\nbra DONE;\nOTHER:\n"
                  "ld.volatile.global.u32 %r6, [%rd2+4];\nsetp.ne.u32 %p4, %r6, 7;\n"
                  "@%p4 bra OTHER;\nDONE:\n",
              "P12", {}, warp);
}

namespace {

void check_deadlock(const std::string& body, const std::string& drawn, const Shape& shape = {}) {
  for (const EmulatorOptions& options : every_schedule()) {
    const Run result = run(body, options, shape);
    INFO(to_string(result.report));
    REQUIRE(find(result.report, "P12") != nullptr);
    CHECK(find(result.report, "P12")->message.find(drawn) != std::string::npos);
  }
}

}  // namespace

TEST_CASE("a deadlock names the circle of those who wait for each other",
          "[emulator][check][deadlock]") {
  const std::string fork = "@%p2 bra FIRST;\n";
  check_deadlock(fork + "bar.sync 2, 64;\nbra DONE;\nFIRST:\nbar.sync 1, 64;\nDONE:\n",
                 "they wait in a circle: block 0 warp 0 waits on barrier 1: 32 of 64 threads have "
                 "arrived -> block 0 warp 1 waits on barrier 2: 32 of 64 threads have arrived -> "
                 "block 0 warp 0",
                 {.threads = 64});
  // Each warp waits for what the other would do behind its own wait.
  check_deadlock(kInit + fork + "bar.sync 2, 64;\n@%p1 bra DONE;\n" +
                     "mbarrier.arrive.shared::cta.b64 _, [%r3];\nbra DONE;\nFIRST:\n" + kAwait +
                     "bar.sync 2, 64;\nDONE:\n",
                 "block 0 warp 0 waits for parity 0 of the mbarrier at shared offset 16384, whose "
                 "phase 0 awaits 1 of 1 arrivals and 0 bytes -> block 0 warp 1 waits on barrier 2",
                 {.threads = 64});
  check_deadlock("mov.u32 %r30, %cluster_ctarank;\nsetp.eq.u32 %p7, %r30, 0;\n" + kInit +
                     "barrier.cluster.arrive.release.aligned;\n"
                     "barrier.cluster.wait.acquire.aligned;\n@%p7 bra WAIT;\n"
                     "barrier.cluster.arrive.release.aligned;\n"
                     "barrier.cluster.wait.acquire.aligned;\n" +
                     kAwait,
                 "waits for its cluster -> block 0 warp 0 waits for parity 0",
                 {.blocks = 2, .threads = 32, .cluster = 2});
}

TEST_CASE("a wait that nobody is left to end is told as such", "[emulator][check][deadlock]") {
  check_deadlock(
      kInit + "@!%p2 bra DONE;\n" + kAwait + "DONE:\n",
      "nobody is left to end the wait: block 0 warp 0 waits for parity 0 of the mbarrier "
      "at shared offset 16384, whose phase 0 awaits 1 of 1 arrivals and 0 bytes -> "
      "nobody",
      {.threads = 64});
}

namespace {

// Jumps through a table go back for ever.
const std::string kTableLoop =
    "mov.u32 %r30, 0;\nAGAIN:\nbrx.idx %r30, PLACES;\nPLACES: .branchtargets AGAIN;\n";

}  // namespace

TEST_CASE("a loop through a table of jumps ends with its instructions",
          "[emulator][check][deadlock]") {
  for (EmulatorOptions options : every_schedule()) {
    options.warp_instructions_per_block = 1000;
    const Run result = run(kTableLoop, options, {.threads = 32});
    INFO(to_string(result.report));
    REQUIRE(find(result.report, "P12") != nullptr);
    CHECK(result.report.counters.warp_instructions <= 1100);
  }
}

TEST_CASE("a block overruns its instructions by no more than its code is long",
          "[emulator][check][deadlock]") {
  EmulatorOptions options;
  options.warp_instructions_per_block = 1000;
  for (const std::string last : {"bra AGAIN;\n", "@%p2 bra AGAIN;\nbra AGAIN;\n"}) {
    const Run result = run("AGAIN:\n" + last, options, {.threads = 256});
    CHECK(find(result.report, "P12") != nullptr);
    CHECK(result.report.counters.warp_instructions <= 1100);
  }
}
