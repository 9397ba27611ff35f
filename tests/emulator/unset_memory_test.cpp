// Atomics and reductions of memory that was never written.
#include "emulator/timed_kernel.hpp"
#include "support/catch.hpp"

using namespace jute;
using namespace jute::test;

namespace {

/// What M3 says; empty where nothing is found. Memory at [%r5] was never written.
std::string told(const std::string& body, const Shape& shape = {}) {
  const Run result = run(body, {}, shape);
  const Finding* const found = find(result.report, "M3");
  return found == nullptr ? std::string() : found->message;
}

const std::string kOfShared = " of shared memory that were never all written";

}  // namespace

TEST_CASE("an atomic on shared memory that was never written is named, whatever it does",
          "[emulator][check][poison]") {
  for (const char* operation : {"add.u32", "min.s32", "max.u32", "and.b32", "or.b32", "xor.b32",
                                "inc.u32", "dec.u32", "add.f32"}) {
    INFO(operation);
    const std::string name(operation);
    const std::string operand = name == "add.f32" ? "0f3F800000" : "1";
    const std::string old = name == "add.f32" ? "%f9" : "%r20";
    CHECK(told("atom.shared." + name + " " + old + ", [%r5], " + operand + ";\n") ==
          "atomic on 4 bytes" + kOfShared);
    CHECK(told("red.shared." + name + " [%r5], " + operand + ";\n") ==
          "atomic on 4 bytes" + kOfShared);
    CHECK(told("st.shared.u32 [%r5], 0;\nred.shared." + name + " [%r5], " + operand + ";\n") == "");
  }
  CHECK(told("atom.shared.cas.b32 %r20, [%r5], 0, 1;\n") == "atomic on 4 bytes" + kOfShared);
  CHECK(told("atom.shared.add.u64 %rd20, [%r2+8], 1;\n") == "atomic on 8 bytes" + kOfShared);
}

TEST_CASE("what an atomic makes of memory that was never written has no value",
          "[emulator][check][poison]") {
  const Shape one{.threads = 1};
  const auto codes = [&](const std::string& body) {
    std::vector<std::string> parties;
    for (const Finding& finding : run(body, {}, one).report.findings)
      if (finding.code == "M3") parties.push_back(finding.parties.front().text);
    return parties;
  };
  const std::string add = "atom.shared.add.u32 %r20, [%r5], 1;\n";
  CHECK(codes(add) == std::vector<std::string>{"atom.shared.add.u32"});
  CHECK(codes(add + "st.global.u32 [%rd5], %r20;\n") ==
        std::vector<std::string>{"atom.shared.add.u32", "st.global.u32"});
  CHECK(codes(add + "ld.shared.u32 %r21, [%r5];\nst.global.u32 [%rd5], %r21;\n") ==
        std::vector<std::string>{"atom.shared.add.u32", "st.global.u32"});
  // An exchange leaves what it was given, and hands on what it found.
  const std::string exchange = "atom.shared.exch.b32 %r20, [%r5], 7;\n";
  CHECK(codes(exchange + "ld.shared.u32 %r21, [%r5];\nst.global.u32 [%rd5], %r21;\n").empty());
  CHECK(codes(exchange + "st.global.u32 [%rd5], %r20;\n") ==
        std::vector<std::string>{"st.global.u32"});
  // Lane after lane: the second one finds what the first has left.
  const Shape two{.threads = 2};
  const std::string both =
      "atom.shared.exch.b32 %r20, [%r2], 7;\nsetp.eq.u32 %p4, %r1, 1;\n"
      "@%p4 st.global.u32 [%rd5], %r20;\n";
  CHECK(find(run(both, {}, two).report, "M3") == nullptr);
}

TEST_CASE("atomics on global memory that was never written are named, vectors too",
          "[emulator][check][poison]") {
  const auto found = [](const std::string& body) {
    Bench bench;
    const auto a = bench.upload(std::vector<int>(256, 0));
    const auto b = bench.alloc(1024);
    bench.run(kernel(body), "k", {1, 1, 1}, {1, 1, 1}, ArgumentBlock().pointer(a).pointer(b));
    const Report report = bench.backend->take_report();
    return find(report, "M3") != nullptr;
  };
  for (const char* const one : {"red.global.add.u32 [PLACE], 1;\n",
                                "atom.global.add.f64 %fd1, [PLACE], 0d3FF0000000000000;\n",
                                "red.global.add.v2.f32 [PLACE], {%f1, %f2};\n",
                                "atom.global.cas.b64 %rd20, [PLACE], 0, 1;\n",
                                "red.global.add.noftz.f16x2 [PLACE], %r1;\n"}) {
    INFO(one);
    const auto at = [&](const std::string& place) {
      std::string text =
          ".reg .f64 %fd<2>;\nmov.f32 %f1, 0f00000000;\nmov.f32 %f2, %f1;\n" + std::string(one);
      return text.replace(text.find("PLACE"), 5, place);
    };
    CHECK(found(at("%rd2")));
    CHECK_FALSE(found(at("%rd1")));
  }
}

TEST_CASE("a reduction in bulk to what was never written is named", "[emulator][check][poison]") {
  const auto found = [](const std::string& memory) {
    Bench bench;
    const auto a = bench.upload(std::vector<int>(256, 0));
    const auto b = bench.alloc(1024);
    const std::string body =
        "st.shared.u32 [%r5], %r1;\nfence.proxy.async;\nbar.sync 0;\n"
        "@%p1 cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [" +
        memory +
        "], [%r2], 512;\n@%p1 cp.async.bulk.commit_group;\n@%p1 cp.async.bulk.wait_group 0;\n";
    bench.run(kernel(body), "k", {1, 1, 1}, {128, 1, 1}, ArgumentBlock().pointer(a).pointer(b));
    const Report report = bench.backend->take_report();
    const Finding* const finding = find(report, "M3");
    return finding == nullptr ? std::string() : finding->message;
  };
  CHECK(found("%rd1") == "");
  CHECK(
      found("%rd2").starts_with("a bulk reduction to 16 bytes of global memory, of which byte 0"));
  // red.async, to the block's own shared memory.
  const std::string add =
      "@%p1 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r3], 4;\n"
      "@%p1 red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%r2], "
      "%r1, [%r3];\n" +
      kAwait;
  const Shape cluster{.blocks = 1, .threads = 32, .cluster = 1};
  CHECK(told(kInit + "@%p1 st.shared.u32 [%r2], 0;\n" + add, cluster) == "");
  CHECK(told(kInit + add, cluster).find("of shared memory, of which byte 0") != std::string::npos);
}

TEST_CASE("st.async and red.async write as threads do: no proxy fence lies before them",
          "[emulator][async][proxy]") {
  const std::string add =
      kInit + "@%p1 st.shared.u32 [%r2], 0;\n" +
      "@%p1 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r3], 4;\n"
      "@%p1 red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%r2], "
      "%r1, [%r3];\n" +
      kAwait;
  check_clean(add, {.blocks = 1, .threads = 32, .cluster = 1});
}
