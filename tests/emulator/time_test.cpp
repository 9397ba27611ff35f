// Bulk copies and cp.async in time: what orders them is taken as such on every schedule, and what
// does not is named with both parties.
#include "emulator/timed_kernel.hpp"
#include "support/catch.hpp"

using namespace jute;
using namespace jute::test;

TEST_CASE("a tile is read behind its mbarrier only", "[emulator][async][bulk]") {
  const std::string load = kInit + kExpect + kLoad;
  check_clean(load + kAwait + kReadShared);
  for (const EmulatorOptions& options : every_schedule(Check::none))
    CHECK(run(load + kAwait + kReadShared, options).out[127] == 127);
  // One warp waits and the others do not: a barrier of the block hands on what it learned.
  const std::string one_waits = "@!%p2 bra SKIP;\n" + kAwait + "SKIP:\n";
  check_clean(load + one_waits + kBarrier + kReadShared);
  const std::vector<std::string> either{"R9", "R1"};
  check_named(load + one_waits + kReadShared, either, {"ld.shared.u32", kLoadName});
  // The phase before the first is over: a wait for its parity ends at once, or, once the copy has
  // landed, never.
  std::string wrong = kAwait;
  wrong.replace(wrong.find(", 0;"), 4, ", 1;");
  check_named(load + wrong + kReadShared, {"R9", "R1", "P12"}, {});
}

TEST_CASE("a stage is loaded anew only behind what its readers arrived at",
          "[emulator][async][bulk]") {
  const std::string first = kInit + kExpect + kLoad + kAwait + kReadShared;
  check_clean(first + kBarrier + kExpect + kLoad +
              "NEXT:\nmbarrier.try_wait.parity.shared::cta.b64 %p4, [%r3], 1;\n@!%p4 bra NEXT;\n");
  // The other warps may even miss the phase.
  check_named(first + kExpect + kLoad +
                  "NEXT:\nmbarrier.try_wait.parity.shared::cta.b64 %p4, [%r3], 1;\n"
                  "@!%p4 bra NEXT;\n",
              {"R1", "R2"}, {kLoadName, "ld.shared.u32"});
}

TEST_CASE("the source of a bulk store is rewritten behind wait_group.read only",
          "[emulator][async][bulk]") {
  const std::string store = "st.shared.u32 [%r5], %r1;\n" + kProxyFence + kBarrier +
                            "@%p1 cp.async.bulk.global.shared::cta.bulk_group [%rd2], [%r2], 512;\n"
                            "@%p1 cp.async.bulk.commit_group;\n";
  const std::string read = "@%p1 cp.async.bulk.wait_group.read 0;\n";
  const std::string wait = "@%p1 cp.async.bulk.wait_group 0;\n";
  const std::string rewrite = "st.shared.u32 [%r5], %r4;\n";
  check_clean(store + read + kBarrier + rewrite + wait);
  check_clean(store + wait + kBarrier + rewrite);
  check_named(store + rewrite + wait, "R5",
              {"st.shared.u32", "cp.async.bulk.global.shared::cta.bulk_group"});
  check_named(store + read + rewrite + wait, {"R5", "R1"},
              {"st.shared.u32", "cp.async.bulk.global.shared::cta.bulk_group"});
  for (const EmulatorOptions& options : every_schedule(Check::none))
    CHECK(run(store + read + kBarrier + rewrite + wait, options).out[127] == 127);
}

TEST_CASE("a block that ends beside a bulk store that may still read is named",
          "[emulator][async][bulk]") {
  const std::string store =
      "st.shared.u32 [%r5], %r1;\n" + kProxyFence + kBarrier +
      "@%p1 cp.async.bulk.global.shared::cta.bulk_group [%rd2], [%r2], 512;\n";
  const std::string commit = "@%p1 cp.async.bulk.commit_group;\n";
  const std::string name = "cp.async.bulk.global.shared::cta.bulk_group";
  check_clean(store + commit + "@%p1 cp.async.bulk.wait_group.read 0;\n");
  check_named(store + commit, "P8", {name});
  check_named(store + "@%p1 cp.async.bulk.wait_group.read 0;\n", "P8", {name});
  check_named(store + commit + "@%p1 cp.async.bulk.wait_group.read 1;\n", "P8", {name});
}

TEST_CASE("lanes of a warp that issue one bulk store are one, those of other bytes are not",
          "[emulator][async][bulk]") {
  const std::string name = "cp.async.bulk.global.shared::cta.bulk_group";
  const auto stores = [&](const std::string& from) {
    return "st.shared.u32 [%r5], %r1;\n" + kProxyFence + kBarrier + "@%p2 " + name + " [%rd2], [" +
           from + "], 256;\n" +
           "@%p2 cp.async.bulk.commit_group;\n@%p2 cp.async.bulk.wait_group 0;\n";
  };
  check_clean(stores("%r2"));
  for (const EmulatorOptions& options : every_schedule()) {
    const Run result = run(stores("%r2"), options);
    CHECK(result.out[63] == 63);
    CHECK(result.report.counters.global_bytes_written == 256);
  }
  check_named(
      "and.b32 %r30, %r1, 1;\nshl.b32 %r30, %r30, 8;\nadd.u32 %r30, %r30, %r2;\n" + stores("%r30"),
      "R1", {name, name});
}

TEST_CASE("a bulk reduction adds elements of its own type", "[emulator][async][bulk]") {
  const std::string reduce =
      "st.shared.u32 [%r5], %r1;\n" + kProxyFence + kBarrier +
      "@%p1 cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%rd2], [%r2], 512;\n"
      "@%p1 cp.async.bulk.commit_group;\n@%p1 cp.async.bulk.wait_group 0;\n";
  for (const EmulatorOptions& options : every_schedule()) {
    const Run result = run(reduce, options);
    INFO(to_string(result.report));
    CHECK(result.report.clean());
    CHECK(result.out[0] == -1);
    CHECK(result.out[127] == 126);
  }
}

TEST_CASE("two cp.async to the same bytes are named, and so is a read before the wait",
          "[emulator][async][copy]") {
  const std::string copy = "cp.async.ca.shared.global [%r5], [%rd4], 4;\ncp.async.commit_group;\n";
  check_clean(copy + "cp.async.wait_group 0;\n" + copy + "cp.async.wait_all;\n" + kReadShared);
  check_named(copy + copy + "cp.async.wait_group 0;\n" + kReadShared, "R6", {});
  check_named(copy + kReadShared + "cp.async.wait_group 0;\n", "R9", {});
  // Another warp's bytes: waited for, but no barrier.
  const std::string other = "xor.b32 %r21, %r4, 256;\nadd.u32 %r5, %r2, %r21;\n" + kReadShared;
  check_named(copy + "cp.async.wait_group 0;\n" + other, "R9",
              {"ld.shared.u32", "cp.async.ca.shared.global"});
  check_clean(copy + "cp.async.wait_group 0;\n" + kBarrier + other);
}

TEST_CASE("cp.async arrives at an mbarrier when its thread's copies have landed",
          "[emulator][async][copy]") {
  std::string init = kInit;
  init.replace(init.find("], 1;"), 5, "], 128;");
  const std::string body = init +
                           "cp.async.ca.shared.global [%r5], [%rd4], 4;\n"
                           "cp.async.mbarrier.arrive.noinc.shared.b64 [%r3];\n" +
                           kAwait + "xor.b32 %r21, %r4, 256;\nadd.u32 %r5, %r2, %r21;\n" +
                           kReadShared;
  for (const EmulatorOptions& options : every_schedule()) {
    const Run result = run(body, options);
    INFO(to_string(result.report));
    CHECK(result.report.clean());
    CHECK(result.out[0] == 64);
  }
}
