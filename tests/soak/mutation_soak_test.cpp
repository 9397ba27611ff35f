// Seeded faults, all of them: what the emulator names, what shows as a wrong result, what slips by.
#include "kernels/mutation_bench.hpp"
#include "support/catch.hpp"
#include "support/compiler.hpp"

using namespace jute;
using namespace jute::test;

TEST_CASE("seeded faults are named or show as wrong results", "[soak][mutation]") {
  const auto judgements = judge_mutants(test_compiler(), kernel_cases(), 8);
  WARN(table(judgements) << list_silent(judgements));
  CHECK(judgements.size() >= 300);
  CHECK(percent_caught(judgements) >= 70);
}
