// Rules of warps and blocks that no data shows.
#include "emulator/timed_kernel.hpp"
#include "support/catch.hpp"

using namespace jute;
using namespace jute::test;

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
