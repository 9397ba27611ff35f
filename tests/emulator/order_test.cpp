// What orders accesses across warps, blocks and launches.
#include "emulator/timed_kernel.hpp"
#include "support/catch.hpp"

using namespace jute;
using namespace jute::test;

TEST_CASE("a flag publishes data if it is released and acquired, or fenced, far enough",
          "[emulator][async][scope]") {
  const Shape two{.blocks = 2, .threads = 32};
  const std::string fence = "fence.acq_rel.gpu;\n";
  check_clean(message("st.release.gpu.global.u32", "ld.acquire.gpu.global.u32", ""), two);
  check_clean(message(fence + "st.relaxed.gpu.global.u32", "ld.relaxed.gpu.global.u32", fence),
              two);
  check_clean(
      message("membar.gl;\nst.volatile.global.u32", "ld.volatile.global.u32", "membar.gl;\n"), two);
  check_named(message("st.relaxed.gpu.global.u32", "ld.acquire.gpu.global.u32", ""), "R1",
              {"ld.global.u32", "st.global.u32"}, two);
  check_named(message("st.release.gpu.global.u32", "ld.relaxed.gpu.global.u32", ""), "R1",
              {"ld.global.u32", "st.global.u32"}, two);
  check_named(message("st.release.cta.global.u32", "ld.acquire.gpu.global.u32", ""), "R1",
              {"ld.global.u32", "st.global.u32"}, two);
  check_named(
      message("fence.acq_rel.cta;\nst.relaxed.gpu.global.u32", "ld.acquire.gpu.global.u32", ""),
      "R1", {"ld.global.u32", "st.global.u32"}, two);
}

TEST_CASE("what follows a load that has seen a relaxed write does not race with that write",
          "[emulator][async][scope]") {
  // The first thread of block 0 raises a flag, that of block 1 waits for it and puts it back.
  const Shape two{.blocks = 2, .threads = 32};
  const auto reset = [](const std::string& before, const std::string& raise,
                        const std::string& look, const std::string& then) {
    return "@!%p1 bra DONE;\nmov.u32 %r6, %ctaid.x;\nsetp.eq.u32 %p4, %r6, 1;\n@%p4 bra WAIT;\n" +
           before + raise + " [%rd2], 7;\nbra DONE;\nWAIT:\n" + look +
           " %r7, [%rd2];\nsetp.ne.u32 %p5, %r7, 7;\n@%p5 bra WAIT;\n" + then + "DONE:\n";
  };
  const std::string put_back = "st.global.u32 [%rd2], 0;\n", relaxed = "st.relaxed.gpu.global.u32";
  check_clean(reset("", relaxed, "ld.acquire.gpu.global.u32", put_back), two);
  check_clean(reset("", relaxed, "ld.relaxed.gpu.global.u32", put_back), two);
  check_clean(reset("", "st.volatile.global.u32", "ld.volatile.global.u32",
                    "ld.global.u32 %r8, [%rd2];\nst.global.u32 [%rd2+4], %r8;\n"),
              two);
  // What lies ahead of the relaxed write is not ordered by it, nor is a write that no scope
  // reaches.
  check_named(reset("st.global.u32 [%rd2+4], 5;\n", relaxed, "ld.acquire.gpu.global.u32",
                    "ld.global.u32 %r8, [%rd2+4];\nst.global.u32 [%rd2+8], %r8;\n"),
              "R1", {"ld.global.u32", "st.global.u32"}, two);
  check_named(reset("", "st.relaxed.cta.global.u32", "ld.acquire.gpu.global.u32", put_back), "R1",
              {}, two);
}

TEST_CASE("a cluster's barrier orders what its blocks do to each other's memory",
          "[emulator][async][cluster]") {
  const Shape pair{.blocks = 2, .threads = 32, .cluster = 2};
  const std::string peer =
      "mov.u32 %r30, %cluster_ctarank;\nxor.b32 %r31, %r30, 1;\n"
      "mapa.shared::cluster.u32 %r32, %r5, %r31;\n";
  const auto meet = [](const std::string& arrive) {
    return "barrier.cluster.arrive" + arrive + ".aligned;\nbarrier.cluster.wait.acquire.aligned;\n";
  };
  const std::string write = "st.shared.u32 [%r5], %r1;\n";
  const std::string add = "red.relaxed.cluster.shared::cluster.add.u32 [%r32], 1;\n";
  check_clean(peer + write + meet(".release") + add + meet(".release") + kReadByFirst, pair);
  check_named(peer + write + meet(".relaxed") + add + meet(".release"), "R1", {}, pair);
  check_named(peer + write + meet(".release") + add + meet(".relaxed") + kReadByFirst, "R1", {},
              pair);
  check_clean(peer + write + "fence.acq_rel.cluster;\n" + meet(".relaxed") + add +
                  meet(".release") + kReadByFirst,
              pair);
}

TEST_CASE("a store to a neighbour completes on the neighbour's mbarrier",
          "[emulator][async][cluster]") {
  const Shape pair{.blocks = 2, .threads = 32, .cluster = 2};
  const std::string meet =
      "barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;\n";
  std::string expect = kExpect;
  expect.replace(expect.find("512"), 3, "128");
  const std::string body =
      kInit + expect + meet +
      "mov.u32 %r30, %cluster_ctarank;\nxor.b32 %r31, %r30, 1;\n"
      "mapa.shared::cluster.u32 %r32, %r5, %r31;\nmapa.shared::cluster.u32 %r33, %r3, %r31;\n"
      "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [%r32], %r1, [%r33];\n";
  for (const EmulatorOptions& options : every_schedule()) {
    const Run result = run(body + kAwait +
                               "ld.shared.u32 %r20, [%r5];\n"
                               "st.global.u32 [%rd5], %r20;\n" +
                               meet,
                           options, pair);
    INFO(to_string(result.report));
    CHECK(find(result.report, "R9") == nullptr);
    CHECK(result.out[31] == 31);
  }
  check_named(body + kReadByFirst + kAwait + meet, "R9", {}, pair);
}

TEST_CASE("what one lane publishes for its warp must lie behind a meeting of the lanes",
          "[emulator][async][race]") {
  // Each warp's first lane arrives for all of them.
  std::string init = kInit;
  init.replace(init.find("], 1;"), 5, "], 4;");
  const auto body = [&](const std::string& meet) {
    return init + "st.shared.u32 [%r5], %r1;\n" + meet +
           "and.b32 %r21, %r1, 31;\nsetp.eq.u32 %p5, %r21, 0;\n"
           "@%p5 mbarrier.arrive.shared::cta.b64 _, [%r3];\n" +
           kAwait + "xor.b32 %r22, %r4, 256;\nadd.u32 %r5, %r2, %r22;\n" + kReadShared;
  };
  check_clean(body("bar.warp.sync -1;\n"));
  check_named(body(""), "R1", {"ld.shared.u32", "st.shared.u32"});
}

namespace {

const Shape kOrderPair{.blocks = 2, .threads = 32, .cluster = 2};
const std::string kOrderMeet =
    "barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;\n";
/// The neighbour's word in %r32, its mbarrier, at which all its neighbour's threads arrive, in
/// %r33.
std::string by_pairs() {
  std::string init = kInit;
  init.replace(init.find("], 1;"), 5, "], 32;");
  return init + kOrderMeet +
         "mov.u32 %r30, %cluster_ctarank;\nxor.b32 %r31, %r30, 1;\n"
         "mapa.shared::cluster.u32 %r32, %r5, %r31;\nmapa.shared::cluster.u32 %r33, %r3, %r31;\n";
}
std::string arrive_there(const std::string& order) {
  return "mbarrier.arrive" + order + ".shared::cluster.b64 _, [%r33];\n";
}
std::string wait_here(const std::string& order) {
  return "WAIT:\nmbarrier.try_wait.parity" + order +
         ".shared::cta.b64 %p3, [%r3], 0;\n@!%p3 bra WAIT;\n";
}

}  // namespace

TEST_CASE("an arrival at a neighbour's mbarrier shows what was stored if both scopes reach over",
          "[emulator][async][scope]") {
  const std::string store = by_pairs() + "st.shared.u32 [%r5], %r1;\n";
  const std::string load = "ld.shared::cluster.u32 %r20, [%r32];\n" + kOrderMeet;
  const std::string release = ".release.cluster", acquire = ".acquire.cluster";
  check_clean(store + arrive_there(release) + wait_here(acquire) + load, kOrderPair);
  check_clean(store + "fence.acq_rel.cluster;\n" + arrive_there(".relaxed.cluster") +
                  wait_here(acquire) + load,
              kOrderPair);
  const std::vector<std::string> parties{"ld.shared::cluster.u32", "st.shared.u32"};
  check_named(store + arrive_there("") + wait_here(acquire) + load, "R1", parties, kOrderPair);
  check_named(store + arrive_there(release) + wait_here("") + load, "R1", parties, kOrderPair);
  check_named(store + arrive_there(".relaxed.cluster") + wait_here(acquire) + load, "R1", parties,
              kOrderPair);
}

TEST_CASE("an arrival at a neighbour's mbarrier shows what was read whatever its scope",
          "[emulator][async][scope]") {
  const std::string read =
      "st.shared.u32 [%r5], %r1;\n" + by_pairs() + "ld.shared::cluster.u32 %r20, [%r32];\n";
  const std::string rewrite = "st.shared.u32 [%r5], %r4;\n" + kOrderMeet;
  check_clean(read + arrive_there("") + wait_here("") + rewrite, kOrderPair);
  check_named(read + arrive_there(".relaxed.cluster") + wait_here("") + rewrite, "R1",
              {"st.shared.u32", "ld.shared::cluster.u32"}, kOrderPair);
}

TEST_CASE("atomics of blocks whose scope is the block race", "[emulator][async][scope]") {
  const auto add = [](const std::string& scope) {
    return "red.relaxed" + scope + ".global.add.u32 [%rd2], 1;\n";
  };
  const Shape two{.blocks = 2, .threads = 32};
  check_clean(add(".gpu"), two);
  check_clean(add(".cta"), {.blocks = 1, .threads = 64});
  check_named(add(".cta"), "R1",
              {"red.relaxed.cta.global.add.u32", "red.relaxed.cta.global.add.u32"}, two);
  check_clean(add(".cluster"), kOrderPair);
  check_named(add(".cluster"), "R1", {}, two);
}

TEST_CASE("a block waits for those who reach into its shared memory before it ends",
          "[emulator][async][cluster]") {
  const std::string write = "st.shared.u32 [%r5], %r1;\n" + by_pairs();
  for (const std::string reach :
       {"ld.shared::cluster.u32 %r20, [%r32];\n", "st.shared::cluster.u32 [%r32], %r1;\n",
        "red.relaxed.cluster.shared::cluster.add.u32 [%r32], 1;\n",
        "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r33];\n"}) {
    check_clean(write + reach + kOrderMeet, kOrderPair);
    check_named(write + reach, {"P8", "M6"}, {}, kOrderPair);
  }
  // Whoever has waited for the arrival knows of it.
  check_clean(write + arrive_there("") + wait_here(""), kOrderPair);
}

TEST_CASE("threads that touch 16 bytes side by side are told apart", "[emulator][check][order]") {
  const std::string own = "st.shared.u32 [%r5], %r1;\n";
  check_clean(own + "ld.shared.u32 %r20, [%r5];\n" + own);
  // Thread n reads what n ^ 1, and what n ^ 32, has written.
  for (const std::string other : {"1", "32"}) {
    const std::string theirs = "xor.b32 %r30, %r1, " + other +
                               ";\nshl.b32 %r30, %r30, 2;\nadd.u32 %r30, %r2, %r30;\n"
                               "ld.shared.u32 %r20, [%r30];\n";
    check_clean(own + kBarrier + theirs);
    check_named(own + theirs, {"R1", "R2"}, {"st.shared.u32", "ld.shared.u32"});
    check_clean(own + kBarrier + theirs + kBarrier + own);
    check_named(own + kBarrier + theirs + own, {"R1", "R2"}, {"st.shared.u32", "ld.shared.u32"});
  }
  // The even threads write two words, of which the odd ones have written one.
  const std::string pairs =
      "and.b32 %r30, %r1, 1;\nsetp.eq.u32 %p7, %r30, 0;\n"
      "@%p7 st.shared.v2.u32 [%r5], {%r1, %r4};\n";
  check_clean(own + kBarrier + pairs);
  check_named(own + pairs, {"R1", "R2"}, {"st.shared.u32", "st.shared.v2.u32"});
}

TEST_CASE("threads that touch whole lines of global memory are told apart",
          "[emulator][check][order]") {
  const std::string own = "st.global.u32 [%rd5], %r1;\n", again = "ld.global.u32 %r20, [%rd5];\n";
  check_clean(own + again + own);
  // Thread n reads what n ^ 1, what n ^ 32, and what n + 1 has written, the last beside lines.
  for (const std::string other :
       {"xor.b32 %r30, %r1, 1", "xor.b32 %r30, %r1, 32", "add.u32 %r30, %r1, 1"}) {
    const std::string theirs = other +
                               ";\nmul.wide.u32 %rd6, %r30, 4;\nadd.s64 %rd6, %rd2, %rd6;\n"
                               "ld.global.u32 %r20, [%rd6];\n";
    check_clean(own + kBarrier + theirs + kBarrier + own);
    check_named(own + theirs, {"R1", "R2"}, {"st.global.u32", "ld.global.u32"});
    check_named(own + kBarrier + theirs + own, {"R1", "R2"}, {"st.global.u32", "ld.global.u32"});
  }
  // Threads that write two or four words each over those of one, and one that reads a word.
  for (const std::string words :
       {"v2.u32 [%rd6], {%r1, %r1}", "v4.u32 [%rd6], {%r1, %r1, %r1, %r1}"}) {
    const std::string wide = "mul.wide.u32 %rd6, %r1, " +
                             std::string(words[1] == '2' ? "8" : "16") +
                             ";\nadd.s64 %rd6, %rd2, %rd6;\nsetp.lt.u32 %p7, %r1, 64;\n"
                             "@%p7 st.global." +
                             words + ";\n";
    const std::string store = "st.global." + words.substr(0, 6);
    const std::string one = "setp.eq.u32 %p8, %r1, 77;\n@%p8 ld.global.u32 %r20, [%rd2+128];\n";
    check_clean(own + kBarrier + wide + kBarrier + one + kBarrier + own);
    check_named(own + wide, {"R1", "R2"}, {"st.global.u32", store});
    check_named(wide + one, {"R1", "R2"}, {store, "ld.global.u32"});
    check_named(one + wide, {"R1", "R2"}, {store, "ld.global.u32"});
  }
  // Both blocks read the same lines, and one of them writes.
  const std::string both = "mov.u32 %r30, %ctaid.x;\nsetp.eq.u32 %p7, %r30, 1;\n" + again;
  check_clean(both, {.blocks = 2});
  check_named(both + "@%p7 st.global.u32 [%rd5], 5;\n", "R1", {"st.global.u32", "ld.global.u32"},
              {.blocks = 2});
}

TEST_CASE("whoever reads one word with all others is named where it is written",
          "[emulator][check][order]") {
  const std::string first = "@%p1 st.shared.u32 [%r2], %r1;\n";
  const std::string all = "ld.shared.u32 %r20, [%r2];\n";
  const std::string rewrite = "setp.eq.u32 %p7, %r1, 75;\n@%p7 st.shared.u32 [%r2], 1;\n";
  check_clean(first + kBarrier + all + kBarrier + rewrite);
  check_named(first + all + kBarrier, {"R1", "R2"}, {"st.shared.u32", "ld.shared.u32"});
  check_named(first + kBarrier + all + rewrite, {"R1", "R2"}, {"ld.shared.u32", "st.shared.u32"});
  // A barrier of two of the four warps orders what their threads have read alone.
  const std::string half = "setp.lt.u32 %p8, %r1, 64;\n@%p8 bar.sync 1, 64;\n";
  const std::string by_0 = "@%p1 st.shared.u32 [%r2], 1;\n";
  check_named(first + kBarrier + all + half + by_0, "R1", {"ld.shared.u32", "st.shared.u32"});
}
