#pragma once
// Kernels around a few instructions that work behind the program's back, run on every schedule.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "emulator/run_ptx.hpp"
#include "support/catch.hpp"

namespace jute::test {

inline std::vector<EmulatorOptions> every_schedule(Check check = Check::full) {
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

inline const Finding* find(const Report& report, const std::string& code) {
  for (const Finding& finding : report.findings)
    if (finding.code == code) return &finding;
  return nullptr;
}

/// A kernel with 64 KB of shared memory `sm`, an mbarrier `bar`, thread number %r1 and pointers
/// %rd1 (256 words, their own index each) and %rd2 (256 words, to be written).
inline std::string kernel(const std::string& body) {
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
  bool is_cooperative = false;
};
inline Run run(const std::string& body, const EmulatorOptions& options, const Shape& shape = {}) {
  Bench bench(options);
  std::vector<int> in(256);
  for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<int>(i);
  const auto a = bench.upload(in);
  const auto b = bench.upload(std::vector<int>(256, -1));
  Binary binary = binary_from_ptx(kernel(body), "k");
  bench.backend->launch(
      bench.backend->load(binary),
      {.grid = {shape.blocks, 1, 1},
       .block = {shape.threads, 1, 1},
       .cluster = {shape.cluster, 1, 1},
       .arguments = ArgumentBlock().pointer(a).pointer(b),
       .residency = shape.is_cooperative ? Residency::whole_grid : Residency::any});
  Run result;
  result.out = bench.download<int>(b, 256);
  result.report = bench.backend->take_report();
  return result;
}

inline void check_clean(const std::string& body, const Shape& shape = {}) {
  for (const EmulatorOptions& options : every_schedule()) {
    const Run result = run(body, options, shape);
    INFO(to_string(result.report));
    CHECK(result.report.clean());
  }
}
/// One of these codes, and these parties in any order: which of two unordered accesses comes first
/// is the schedule's choice.
inline void check_named(const std::string& body, const std::vector<std::string>& codes,
                        std::vector<std::string> parties, const Shape& shape = {}) {
  std::sort(parties.begin(), parties.end());
  for (const EmulatorOptions& options : every_schedule()) {
    const Run result = run(body, options, shape);
    INFO(body << "\n" << to_string(result.report));
    std::vector<std::vector<std::string>> named;
    for (const Finding& finding : result.report.findings) {
      if (std::find(codes.begin(), codes.end(), finding.code) == codes.end()) continue;
      named.emplace_back();
      for (const Party& party : finding.parties) named.back().push_back(party.text);
      std::sort(named.back().begin(), named.back().end());
    }
    REQUIRE(!named.empty());
    if (!parties.empty()) CHECK(std::find(named.begin(), named.end(), parties) != named.end());
  }
}
inline void check_named(const std::string& body, const char* code, std::vector<std::string> parties,
                        const Shape& shape = {}) {
  check_named(body, std::vector<std::string>{code}, std::move(parties), shape);
}

inline const std::string kBarrier = "bar.sync 0;\n";
inline const std::string kProxyFence = "fence.proxy.async;\n";
/// Zeros in the first 4 KB, and the descriptor of a K-major operand without swizzle in %rd10.
inline const std::string kOperands =
    "shl.b32 %r10, %r1, 5;\nadd.u32 %r10, %r2, %r10;\n"
    "st.shared.v4.u32 [%r10], {0, 0, 0, 0};\nst.shared.v4.u32 [%r10+16], {0, 0, 0, 0};\n"
    "mov.b64 %rd10, 68720001024;\n";
inline const std::string kFence = "wgmma.fence.sync.aligned;\n";
inline const std::string kCommit = "wgmma.commit_group.sync.aligned;\n";
inline const std::string kWait = "wgmma.wait_group.sync.aligned 0;\n";
inline std::string product(const std::string& scale) {
  return "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%f0, %f1, %f2, %f3}, %rd10, "
         "%rd10, " +
         scale + ", 1, 1, 0, 0;\n";
}
inline const std::string kProductName = "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16";
inline const std::string kReady = kOperands + kProxyFence + kBarrier + kFence;
inline const std::string kSeven =
    "mov.f32 %f0, 0f40E00000;\nmov.f32 %f1, %f0;\nmov.f32 %f2, %f0;\n"
    "mov.f32 %f3, %f0;\n";
inline const std::string kStore = "cvt.rzi.s32.f32 %r20, %f0;\nst.global.u32 [%rd5], %r20;\n";

inline const std::string kInit =
    "@%p1 mbarrier.init.shared::cta.b64 [%r3], 1;\n@%p1 fence.mbarrier_init.release.cluster;\n" +
    kBarrier;
inline const std::string kExpect =
    "@%p1 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r3], 512;\n";
inline const std::string kLoad =
    "@%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r2], [%rd1], 512, "
    "[%r3];\n";
inline const std::string kLoadName =
    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes";
inline const std::string kAwait =
    "WAIT:\nmbarrier.try_wait.parity.shared::cta.b64 %p3, [%r3], 0;\n@!%p3 bra WAIT;\n";
inline const std::string kReadShared = "ld.shared.u32 %r20, [%r5];\nst.global.u32 [%rd5], %r20;\n";
/// The same by the first block of a cluster, whose rank is in %r30.
inline const std::string kReadByFirst =
    "ld.shared.u32 %r20, [%r5];\nsetp.eq.u32 %p7, %r30, 0;\n@%p7 st.global.u32 [%rd5], %r20;\n";

/// Block 1 writes a word and raises a flag; block 0 waits for the flag and reads the word.
inline std::string message(const std::string& raise, const std::string& look,
                           const std::string& behind) {
  return "mov.u32 %r30, %ctaid.x;\nsetp.eq.u32 %p5, %r30, 1;\n@!%p1 bra DONE;\n@%p5 bra RAISE;\n"
         "LOOK:\n" +
         look + " %r31, [%rd2];\nsetp.ne.u32 %p6, %r31, 77;\n@%p6 bra LOOK;\n" + behind +
         "ld.global.u32 %r32, [%rd2+4];\nst.global.u32 [%rd2+8], %r32;\nbra DONE;\nRAISE:\n"
         "st.global.u32 [%rd2+4], 55;\n" +
         raise + " [%rd2], 77;\nDONE:\n";
}

}  // namespace jute::test
