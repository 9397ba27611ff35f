// 3,000 products of files and ranges of M by the command, judged by plain loops.
#include "support/catch.hpp"
#include "support/draws.hpp"
#include "support/ranged_files.hpp"

using namespace jute;
using namespace jute::test;

TEST_CASE("3,000 products of files and ranges of M come out as plain loops say", "[soak][gemm]") {
  constexpr std::uint64_t kForms = 375;
  constexpr int kRuns = 8;
  const std::uint64_t first = first_seed(1000);
  for (std::uint64_t seed = first; seed < first + kForms; ++seed) {
    INFO("seed " << seed);
    RangedFiles files(seed);
    for (int run = 0; run < kRuns; ++run) CHECK(files.run() == "");
  }
}
