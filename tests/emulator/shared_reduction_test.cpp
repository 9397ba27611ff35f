// red.async and cp.reduce.async.bulk into the shared memory of a neighbour.
#include <string>

#include <jute/emulator/emulated_gpu.hpp>

#include "emulator/run_ptx.hpp"
#include "support/catch.hpp"

using namespace jute;
using namespace jute::test;

namespace {

// Both blocks add to the sums of block 0, lane by lane and in bulk, and count on its mbarrier.
const std::string kSums = R"(.version 8.3
.target sm_90a
.address_size 64
.visible .entry sums(.param .u64 out) .reqntid 32,1,1 .reqnctapercluster 2,1,1 {
  .reg .pred %p<4>;
  .reg .b32 %t, %rank, %r<8>;
  .reg .b64 %at<3>;
  .shared .align 16 .b32 sums[32];
  .shared .align 16 .b32 mine[32];
  .shared .align 8 .b64 bar;
  mov.u32 %t, %tid.x;
  mov.u32 %rank, %cluster_ctarank;
  shl.b32 %r0, %t, 2;
  mov.u32 %r1, sums;
  mov.u32 %r2, mine;
  mov.u32 %r3, bar;
  add.u32 %r4, %r1, %r0;
  st.shared.u32 [%r4], %t;
  mad.lo.u32 %r5, %rank, 100, %t;
  add.u32 %r6, %r2, %r0;
  st.shared.u32 [%r6], %r5;
  setp.eq.u32 %p0, %t, 0;
  setp.eq.and.u32 %p1, %rank, 0, %p0;
  @%p0 mbarrier.init.shared::cta.b64 [%r3], 1;
  fence.proxy.async;
  fence.mbarrier_init.release.cluster;
  @%p1 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r3], 512;
  barrier.cluster.arrive;
  barrier.cluster.wait;
  mapa.shared::cluster.u32 %r5, %r1, 0;
  mapa.shared::cluster.u32 %r7, %r3, 0;
  @%p0 cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u32 [%r5], [%r2], 128, [%r7];
  add.u32 %r5, %r5, %r0;
  add.u32 %r6, %t, 1;
  red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%r5], %r6, [%r7];
  setp.ne.u32 %p2, %rank, 0;
  @%p2 bra DONE;
WAIT:
  mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p3, [%r3], 0;
  @!%p3 bra WAIT;
  ld.shared.u32 %r6, [%r4];
  ld.param.u64 %at0, [out];
  mad.wide.u32 %at1, %t, 4, %at0;
  st.global.u32 [%at1], %r6;
DONE:
  barrier.cluster.arrive;
  barrier.cluster.wait;
  ret;
})";

}  // namespace

TEST_CASE("neighbours reduce into shared memory and credit its mbarrier", "[emulator][cluster]") {
  for (const Schedule schedule : {Schedule::fixed, Schedule::late, Schedule::random}) {
    EmulatorOptions options;
    options.check = Check::full;
    options.schedule = schedule;
    Bench bench(options);
    const DevicePointer out = bench.alloc(128);
    // The launch names no cluster: the kernel does.
    bench.run(kSums, "sums", {2, 1, 1}, {32, 1, 1}, ArgumentBlock().pointer(out));
    CHECK(to_string(bench.backend->take_report().findings) == "");
    std::vector<std::uint32_t> expected;
    for (std::uint32_t i = 0; i < 32; ++i) expected.push_back(i + 2 * (i + 1) + i + 100 + i);
    CHECK(bench.download<std::uint32_t>(out, 32) == expected);
  }
}
