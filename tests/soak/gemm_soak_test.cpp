// More random problems than a quick test run has time for.
#include "support/catch.hpp"
#include "support/gemm_case.hpp"
#include "support/gemm_families.hpp"
#include "support/odd_problem.hpp"

#include <jute/emulator/emulator.hpp>

using namespace jute;
using namespace jute::test;

TEST_CASE("random problems of every type come out right, 200 of each", "[soak][gemm]") {
  for (const TypeFamily& family : kTypeFamilies) {
    Context context(open_emulator());
    const auto failures = failures_of(context, family.types, 200);
    UNSCOPED_INFO(family.name);
    for (const std::string& failure : failures) UNSCOPED_INFO(failure);
    CHECK(failures.empty());
  }
}

TEST_CASE("random float32 problems pass every check of the emulator", "[soak][gemm]") {
  EmulatorOptions checked;
  checked.check = Check::full;
  checked.schedule = Schedule::random;
  for (checked.seed = 1; checked.seed <= 3; ++checked.seed) {
    Context context(open_emulator(checked));
    const auto failures = failures_of(context, {}, 100);
    for (const std::string& failure : failures) UNSCOPED_INFO(failure);
    CHECK(failures.empty());
  }
}

TEST_CASE("300 problems with odd leading dimensions and bases come out right", "[soak][gemm]") {
  Context context(open_emulator());
  CHECK(odd_failures(context, 0, kOddProblems) == "");
}
