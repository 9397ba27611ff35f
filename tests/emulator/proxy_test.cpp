// What the asynchronous proxy sees of what threads have written.
#include "emulator/timed_kernel.hpp"
#include "support/catch.hpp"

using namespace jute;
using namespace jute::test;

TEST_CASE("an mbarrier is initialised, fenced and shown to others before a copy completes on it",
          "[emulator][async][bulk]") {
  const std::string unfenced = "@%p1 mbarrier.init.shared::cta.b64 [%r3], 1;\n" + kBarrier;
  check_named(unfenced + kExpect + kLoad + kAwait, "R3",
              {kLoadName, "mbarrier.init.shared::cta.b64"});
  std::string unshown = kInit;
  unshown.erase(unshown.find(kBarrier));
  check_named(unshown + kExpect + kLoad + kAwait, "R1", {});
}

TEST_CASE("a bulk copy to a neighbour reads what threads stored behind a proxy fence only",
          "[emulator][async][proxy]") {
  const std::string start = kInit + kExpect + "st.shared.u32 [%r5+4096], %r1;\n";
  const std::string copy =
      "add.u32 %r30, %r2, 4096;\n"
      "@%p1 cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r2], [%r30], "
      "512, [%r3];\n" +
      kAwait;
  check_clean(start + kProxyFence + kBarrier + copy);
  check_named(
      start + kBarrier + copy, "R3",
      {"cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes", "st.shared.u32"});
}

TEST_CASE("a proxy fence covers its own memory only", "[emulator][async][proxy]") {
  const auto fence = [](const std::string& space) { return "fence.proxy.async" + space + ";\n"; };
  // Global memory that threads write and a bulk copy loads.
  const std::string load =
      "@%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r2], [%rd2], 512, "
      "[%r3];\n" +
      kAwait;
  const std::string write = kInit + kExpect + "st.global.u32 [%rd5], %r1;\n";
  check_clean(write + fence("") + kBarrier + load);
  check_clean(write + fence(".global") + kBarrier + load);
  check_clean(write + kBarrier + fence(".global") + load);
  check_named(write + kBarrier + load, "R3", {kLoadName, "st.global.u32"});
  check_named(write + fence(".shared::cta") + kBarrier + load, "R3", {kLoadName, "st.global.u32"});
  // The init fence shows barriers and nothing else.
  check_named("st.shared.u32 [%r5], %r1;\n" + kInit + kExpect + kLoad + kAwait, "R3",
              {kLoadName, "st.shared.u32"});
  // A neighbour's shared memory.
  const Shape pair{.blocks = 2, .threads = 128, .cluster = 2};
  const std::string meet =
      "barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;\n";
  const std::string push =
      kInit + kExpect + meet +
      "mov.u32 %r30, %cluster_ctarank;\nxor.b32 %r31, %r30, 1;\n"
      "mapa.shared::cluster.u32 %r32, %r5, %r31;\nst.shared::cluster.u32 [%r32], %r1;\n";
  const std::string overwrite = meet + kLoad + kAwait + meet;
  check_clean(push + fence("") + overwrite, pair);
  check_clean(push + fence(".shared::cluster") + overwrite, pair);
  check_clean(push + meet + fence(".shared::cta") + kBarrier + kLoad + kAwait + meet, pair);
  check_named(push + fence(".shared::cta") + overwrite, "R3", {kLoadName, "st.shared::cluster.u32"},
              pair);
}

TEST_CASE(
    "what threads store the asynchronous proxy sees behind a fence, on either side of a barrier",
    "[emulator][async][proxy]") {
  const std::string use = kFence + product("0") + kCommit + kWait;
  check_clean(kOperands + kProxyFence + kBarrier + use);
  check_clean(kOperands + kBarrier + kProxyFence + use);
  check_clean(kOperands + "fence.proxy.async.shared::cta;\n" + kBarrier + use);
  check_named(kOperands + kBarrier + use, "R3", {kProductName, "st.shared.v4.u32"});
  check_named(kOperands + "fence.proxy.async.global;\n" + kBarrier + use, "R3",
              {kProductName, "st.shared.v4.u32"});
}
