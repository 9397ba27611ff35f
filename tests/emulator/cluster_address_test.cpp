// Shared addresses in a cluster, which carry the block's rank, and what a kernel can make of them.
#include "emulator/timed_kernel.hpp"

using namespace jute;
using namespace jute::test;

namespace {

const Shape kPair{.blocks = 2, .threads = 32, .cluster = 2};
const std::string kMeet =
    "barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;\n";
/// The block's rank in %r30, the other's in %r31, the other's `sm` in %r32 and, generic, in %rd12.
const std::string kPeer =
    "mov.u32 %r30, %cluster_ctarank;\nxor.b32 %r31, %r30, 1;\n"
    "mapa.shared::cluster.u32 %r32, %r5, %r31;\ncvt.u64.u32 %rd12, %r32;\n"
    "cvta.shared::cluster.u64 %rd12, %rd12;\n";

/// One word a block, at its rank in the output.
std::string give(const std::string& reg) {
  return "mul.wide.u32 %rd20, %r30, 4;\nadd.s64 %rd20, %rd2, %rd20;\n@%p1 st.global.u32 [%rd20], " +
         reg + ";\n";
}
std::vector<int> given(const std::string& body, const Shape& shape = kPair) {
  const Run result = run(kPeer + body, every_schedule().front(), shape);
  INFO(to_string(result.report));
  CHECK(result.report.clean());
  return {result.out[0], result.out[1]};
}

constexpr int kSecond = 1 << 24;

}  // namespace

TEST_CASE("shared addresses of a cluster begin at rank << 24", "[emulator][cluster]") {
  CHECK(given("mov.u32 %r20, bar;\n" + give("%r20")) == std::vector{16384, kSecond + 16384});
  CHECK(given("mov.u64 %rd13, bar;\ncvt.u32.u64 %r20, %rd13;\n" + give("%r20")) ==
        std::vector{16384, kSecond + 16384});
  CHECK(given(give("%r32")) == std::vector{kSecond, 0});
  CHECK(given("mapa.shared::cluster.u32 %r20, %r2, %r30;\nsub.u32 %r20, %r20, %r2;\n" +
              give("%r20")) == std::vector{0, 0});
  CHECK(given("getctarank.shared::cluster.u32 %r20, %r2;\n" + give("%r20")) == std::vector{0, 1});
  CHECK(given("mov.u64 %rd13, sm;\ncvta.shared.u64 %rd13, %rd13;\n"
              "mapa.u64 %rd14, %rd13, %r31;\nsub.u64 %rd14, %rd14, %rd13;\n"
              "cvt.u32.u64 %r20, %rd14;\n" +
              give("%r20")) == std::vector{kSecond, -kSecond});
  CHECK(given("mov.u32 %r20, bar;\n" + give("%r20"), {.blocks = 1, .threads = 32})[0] == 16384);
}

TEST_CASE("isspacep tells a neighbour's shared memory from the block's own",
          "[emulator][cluster]") {
  const auto answer = [](const std::string& space, const std::string& address) {
    return given("mov.u64 %rd13, sm;\ncvta.shared.u64 %rd13, %rd13;\nisspacep" + space + " %p7, " +
                 address + ";\nselp.u32 %r20, 1, 0, %p7;\n" + give("%r20"));
  };
  for (const std::string space : {".shared", ".shared::cta"}) {
    CHECK(answer(space, "%rd13") == std::vector{1, 1});
    CHECK(answer(space, "%rd12") == std::vector{0, 0});
    CHECK(answer(space, "%rd1") == std::vector{0, 0});
  }
  CHECK(answer(".shared::cluster", "%rd13") == std::vector{1, 1});
  CHECK(answer(".shared::cluster", "%rd12") == std::vector{1, 1});
  CHECK(answer(".shared::cluster", "%rd1") == std::vector{0, 0});
}

TEST_CASE("an access without ::cluster reaches the block's own shared memory alone",
          "[emulator][cluster]") {
  const std::string own = kPeer + "st.shared.u32 [%r5], %r30;\n" + kMeet;
  const std::string last = give("%r20") + kMeet;
  check_clean(own + "ld.shared::cluster.u32 %r20, [%r32];\n" + last, kPair);
  check_clean(own + "ld.u32 %r20, [%rd12];\n" + last, kPair);
  check_clean(own + "ld.u32 %r20, [sm];\n" + kMeet + last, kPair);
  check_named(own + "ld.shared.u32 %r20, [%r32];\n" + kMeet, "M1", {"ld.shared.u32"}, kPair);
  check_named(own + "st.shared::cta.u32 [%r32], %r1;\n" + kMeet, "M1", {"st.shared::cta.u32"},
              kPair);
  // In block 1 an address whose rank was masked away is one of block 0.
  check_named(own + "and.b32 %r33, %r5, 16777215;\nld.shared.u32 %r20, [%r33];\n" + kMeet, "M1",
              {"ld.shared.u32"}, kPair);
}

TEST_CASE("a bulk copy goes where a block of the cluster is", "[emulator][cluster]") {
  const auto load = [](const std::string& space, const std::string& rank) {
    return kPeer + kInit + kExpect + "mapa.shared::cluster.u32 %r33, %r2, " + rank +
           ";\n@%p1 cp.async.bulk" + space +
           ".global.mbarrier::complete_tx::bytes [%r33], [%rd1], 512, [%r3];\n";
  };
  check_clean(load(".shared::cta", "%r30") + kAwait + kMeet, kPair);
  check_named(load(".shared::cta", "%r31"), "M1",
              {"cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes"}, kPair);
  check_named(load(".shared::cluster", "5"), "M1", {kLoadName}, kPair);
}

namespace {

const Shape kProducts{.blocks = 2, .threads = 128, .cluster = 2};
/// Core matrix i of 16 holds i + 1; `address` goes into the descriptor.
std::string product_of_cores(const std::string& address) {
  return kPeer +
         "shr.u32 %r10, %r1, 3;\nadd.u32 %r10, %r10, 1;\ncvt.rn.f32.u32 %f9, %r10;\n"
         "mov.b32 %r11, %f9;\nshr.u32 %r11, %r11, 16;\nmul.lo.u32 %r11, %r11, 65537;\n"
         "shl.b32 %r12, %r1, 4;\nadd.u32 %r12, %r2, %r12;\n"
         "st.shared.v4.u32 [%r12], {%r11, %r11, %r11, %r11};\n" +
         kProxyFence + kBarrier + address +
         "shr.u32 %r13, %r13, 4;\ncvt.u64.u32 %rd10, %r13;\nadd.u64 %rd10, %rd10, 68720001024;\n" +
         kFence + product("0") + kCommit + kWait + "cvt.rzi.s32.f32 %r20, %f0;\n" + give("%r20");
}

}  // namespace

TEST_CASE("a rank that a wgmma descriptor does not mask spoils its leading offset",
          "[emulator][cluster][wgmma]") {
  const std::string masked = "and.b32 %r13, %r2, 262143;\n", whole = "mov.b32 %r13, %r2;\n";
  const int right = 8 * (1 * 1 + 2 * 2), spoiled = 8 * (1 * 1 + 4 * 4);
  CHECK(given(product_of_cores(masked), kProducts) == std::vector{right, right});
  check_clean(product_of_cores(masked), kProducts);
  for (const EmulatorOptions& options : every_schedule()) {
    const Run result = run(product_of_cores(whole), options, kProducts);
    INFO(to_string(result.report));
    CHECK(result.out[0] == right);
    CHECK(result.out[1] == spoiled);
    const Finding* const finding = find(result.report, "P16");
    REQUIRE(finding != nullptr);
    CHECK(finding->parties[0].text == kProductName);
    CHECK(to_string(result.report).find("rank 1") != std::string::npos);
  }
}

TEST_CASE("a swizzled operand along K has no leading offset to spoil",
          "[emulator][cluster][wgmma]") {
  std::string body = kPeer + "shl.b32 %r10, %r1, 6;\nadd.u32 %r10, %r2, %r10;\n";
  for (const char* const at : {"", "+16", "+32", "+48"})
    body += std::string("st.shared.v4.u32 [%r10") + at + "], {0, 0, 0, 0};\n";
  // 128 bytes of swizzle, 1024 from eight rows to the next.
  body += kProxyFence + kBarrier +
          "shr.u32 %r13, %r2, 4;\ncvt.u64.u32 %rd10, %r13;\n"
          "add.u64 %rd10, %rd10, 4611686293305294848;\n" +
          kFence + product("0") + kCommit + kWait + "cvt.rzi.s32.f32 %r20, %f0;\n" + give("%r20");
  check_clean(body, {.blocks = 2, .threads = 128, .cluster = 2});
}
