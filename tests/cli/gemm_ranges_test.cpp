// `jute gemm` of files beside a range of M: whatever lies by M lies as its file does.
#include "cli/command.hpp"
#include "support/ranged_files.hpp"

using namespace jute;
using namespace jute::test;

TEST_CASE("200 products of files and ranges of M come out as plain loops say", "[cli][gemm]") {
  constexpr std::uint64_t kForms = 25;
  constexpr int kRuns = 8;
  std::string wrong;
  for (std::uint64_t seed = 0; seed < kForms; ++seed) {
    RangedFiles files(seed);
    for (int run = 0; run < kRuns; ++run) wrong += files.run();
  }
  CHECK(wrong == "");
}

TEST_CASE("a file's rows must be of the range", "[cli][gemm][refusal]") {
  require_refusal(run_jute({"gemm", "--device", "emulator", "--m", "9", "--n", "8", "--k", "8",
                            "--random", "1", "--m-range", "1:8"}),
                  2, "M must lie in the problem's m_range, 1:8");
}
