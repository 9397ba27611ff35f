// Values that were never written are named where they are used.
#include "emulator/timed_kernel.hpp"
#include "support/catch.hpp"

using namespace jute;
using namespace jute::test;

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

TEST_CASE("a register that was never set may lie in shared memory, as long as nobody uses it",
          "[emulator][check][poison]") {
  // The first lane of each warp sets %r20; all of them store it.
  const std::string store =
      "and.b32 %r23, %r1, 31;\nsetp.eq.u32 %p4, %r23, 0;\n@%p4 mov.u32 %r20, 3;\n"
      "st.shared.u32 [%r5], %r20;\n";
  const auto found = [](const std::string& body) {
    const Run result = run(body, {});
    const Finding* const finding = find(result.report, "M3");
    return finding == nullptr ? std::string() : finding->message;
  };
  CHECK(found(store) == "");
  CHECK(found(store + "@%p4 ld.shared.u32 %r21, [%r5];\n@%p4 st.global.u32 [%rd5], %r21;\n") == "");
  CHECK(found(store + "ld.shared.u32 %r21, [%r5];\nst.global.u32 [%rd5], %r21;\n") ==
        "a value is used that comes from a load of 4 bytes of shared memory that were never all "
        "written");
  CHECK(found("@%p1 mov.u32 %r20, 3;\nst.global.u32 [%rd5], %r20;\n") ==
        "a value is used that comes from a register that was never set, %r20");
}
