// Work behind the program's back: what orders it is taken as such on every schedule, and what does
// not is named with both parties.
#include "emulator/run_ptx.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

using namespace jute;
using namespace jute::test;

namespace {

std::vector<EmulatorOptions> every_schedule(Check check = Check::full) {
  std::vector<EmulatorOptions> all;
  for (const Schedule schedule : {Schedule::fixed, Schedule::early, Schedule::late}) {
    all.emplace_back();
    all.back().check = check;
    all.back().schedule = schedule;
  }
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    all.push_back(all.front());
    all.back().schedule = Schedule::random;
    all.back().seed = seed;
  }
  return all;
}

const Finding* find(const Report& report, const std::string& code) {
  for (const Finding& finding : report.findings)
    if (finding.code == code) return &finding;
  return nullptr;
}

/// A kernel with 64 KB of shared memory `sm`, an mbarrier `bar`, thread number %r1 and pointers
/// %rd1 (256 words, their own index each) and %rd2 (256 words, to be written).
std::string kernel(const std::string& body) {
  return ".version 8.0\n.target sm_90a\n.address_size 64\n"
         ".visible .entry k(.param .u64 pa, .param .u64 pb)\n{\n"
         ".reg .pred %p<16>;\n.reg .b32 %r<64>;\n.reg .b64 %rd<32>;\n.reg .f32 %f<32>;\n"
         ".shared .align 1024 .b8 sm[16384];\n.shared .align 8 .b64 bar;\n"
         "ld.param.u64 %rd1, [pa];\nld.param.u64 %rd2, [pb];\nmov.u32 %r1, %tid.x;\n"
         "mul.wide.u32 %rd3, %r1, 4;\nadd.s64 %rd4, %rd1, %rd3;\nadd.s64 %rd5, %rd2, %rd3;\n"
         "mov.u32 %r2, sm;\nmov.u32 %r3, bar;\nshl.b32 %r4, %r1, 2;\nadd.u32 %r5, %r2, %r4;\n"
         "setp.eq.u32 %p1, %r1, 0;\nsetp.lt.u32 %p2, %r1, 32;\n" +
         body + "ret;\n}\n";
}

struct Run {
  Report report;
  std::vector<int> out;
};
struct Shape {
  int blocks = 1;
  int threads = 128;
  int cluster = 1;
};
Run run(const std::string& body, const EmulatorOptions& options, const Shape& shape = {}) {
  Bench bench(options);
  std::vector<int> in(256);
  for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<int>(i);
  const auto a = bench.upload(in);
  const auto b = bench.upload(std::vector<int>(256, -1));
  Binary binary = binary_from_ptx(kernel(body), "k");
  bench.backend->launch(bench.backend->load(binary),
                        {.grid = {shape.blocks, 1, 1},
                         .block = {shape.threads, 1, 1},
                         .cluster = {shape.cluster, 1, 1},
                         .arguments = ArgumentBlock().pointer(a).pointer(b)});
  Run result;
  result.out = bench.download<int>(b, 256);
  result.report = bench.backend->take_report();
  return result;
}

void check_clean(const std::string& body, const Shape& shape = {}) {
  for (const EmulatorOptions& options : every_schedule()) {
    const Run result = run(body, options, shape);
    INFO(to_string(result.report));
    CHECK(result.report.clean());
  }
}
/// One of these codes, and these parties in any order: which of two unordered accesses comes first
/// is the schedule's choice.
void check_named(const std::string& body, const std::vector<std::string>& codes,
                 std::vector<std::string> parties, const Shape& shape = {}) {
  std::sort(parties.begin(), parties.end());
  for (const EmulatorOptions& options : every_schedule()) {
    const Run result = run(body, options, shape);
    INFO(body << "\n" << to_string(result.report));
    std::vector<std::vector<std::string>> named;
    for (const std::string& code : codes) {
      const Finding* const finding = find(result.report, code);
      if (finding == nullptr) continue;
      named.emplace_back();
      for (const Party& party : finding->parties) named.back().push_back(party.text);
      std::sort(named.back().begin(), named.back().end());
    }
    REQUIRE(!named.empty());
    if (!parties.empty()) CHECK(std::find(named.begin(), named.end(), parties) != named.end());
  }
}
void check_named(const std::string& body, const char* code, std::vector<std::string> parties,
                 const Shape& shape = {}) {
  check_named(body, std::vector<std::string>{code}, std::move(parties), shape);
}

const std::string kBarrier = "bar.sync 0;\n";
const std::string kProxyFence = "fence.proxy.async;\n";
/// Zeros in the first 4 KB, and the descriptor of a K-major operand without swizzle in %rd10.
const std::string kOperands =
    "shl.b32 %r10, %r1, 5;\nadd.u32 %r10, %r2, %r10;\n"
    "st.shared.v4.u32 [%r10], {0, 0, 0, 0};\nst.shared.v4.u32 [%r10+16], {0, 0, 0, 0};\n"
    "mov.b64 %rd10, 68720001024;\n";
const std::string kFence = "wgmma.fence.sync.aligned;\n";
const std::string kCommit = "wgmma.commit_group.sync.aligned;\n";
const std::string kWait = "wgmma.wait_group.sync.aligned 0;\n";
std::string product(const std::string& scale) {
  return "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%f0, %f1, %f2, %f3}, %rd10, "
         "%rd10, " +
         scale + ", 1, 1, 0, 0;\n";
}
const std::string kProductName = "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16";
const std::string kReady = kOperands + kProxyFence + kBarrier + kFence;
const std::string kSeven =
    "mov.f32 %f0, 0f40E00000;\nmov.f32 %f1, %f0;\nmov.f32 %f2, %f0;\n"
    "mov.f32 %f3, %f0;\n";
const std::string kStore = "cvt.rzi.s32.f32 %r20, %f0;\nst.global.u32 [%rd5], %r20;\n";

}  // namespace

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

TEST_CASE(
    "what threads store the asynchronous proxy sees behind a fence, on either side of a barrier",
    "[emulator][async][proxy]") {
  const std::string use = kFence + product("0") + kCommit + kWait;
  check_clean(kOperands + kProxyFence + kBarrier + use);
  check_clean(kOperands + kBarrier + kProxyFence + use);
  check_named(kOperands + kBarrier + use, "R3", {kProductName, "st.shared.v4.u32"});
}

namespace {

const std::string kInit =
    "@%p1 mbarrier.init.shared::cta.b64 [%r3], 1;\n@%p1 fence.mbarrier_init.release.cluster;\n" +
    kBarrier;
const std::string kExpect = "@%p1 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r3], 512;\n";
const std::string kLoad =
    "@%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r2], [%rd1], 512, "
    "[%r3];\n";
const std::string kLoadName = "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes";
const std::string kAwait =
    "WAIT:\nmbarrier.try_wait.parity.shared::cta.b64 %p3, [%r3], 0;\n@!%p3 bra WAIT;\n";
const std::string kReadShared = "ld.shared.u32 %r20, [%r5];\nst.global.u32 [%rd5], %r20;\n";
/// The same by the first block of a cluster, whose rank is in %r30.
const std::string kReadByFirst =
    "ld.shared.u32 %r20, [%r5];\nsetp.eq.u32 %p7, %r30, 0;\n@%p7 st.global.u32 [%rd5], %r20;\n";

}  // namespace

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

namespace {

/// Block 1 writes a word and raises a flag; block 0 waits for the flag and reads the word.
std::string message(const std::string& raise, const std::string& look, const std::string& behind) {
  return "mov.u32 %r30, %ctaid.x;\nsetp.eq.u32 %p5, %r30, 1;\n@!%p1 bra DONE;\n@%p5 bra RAISE;\n"
         "LOOK:\n" +
         look + " %r31, [%rd2];\nsetp.ne.u32 %p6, %r31, 77;\n@%p6 bra LOOK;\n" + behind +
         "ld.global.u32 %r32, [%rd2+4];\nst.global.u32 [%rd2+8], %r32;\nbra DONE;\nRAISE:\n"
         "st.global.u32 [%rd2+4], 55;\n" +
         raise + " [%rd2], 77;\nDONE:\n";
}

}  // namespace

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

TEST_CASE("a block that waits for one that does not fit on the chip is a deadlock",
          "[emulator][check][deadlock]") {
  const std::string body = message("st.release.gpu.global.u32", "ld.acquire.gpu.global.u32", "");
  EmulatorOptions options;
  options.resident_blocks = 2;
  CHECK(run(body, options, {.blocks = 2, .threads = 32}).report.clean());
  options.resident_blocks = 1;
  const Run alone = run(body, options, {.blocks = 2, .threads = 32});
  REQUIRE(find(alone.report, "P12") != nullptr);
  CHECK(find(alone.report, "P12")->message.find("1 blocks of the grid have not started") !=
        std::string::npos);
}
