// A tenth of the seeded faults; test_soak has them all.
#include "kernels/mutation_bench.hpp"
#include "support/catch.hpp"
#include "support/compiler.hpp"

using namespace jute;
using namespace jute::test;

TEST_CASE("a tenth of the seeded faults is named or shows as wrong results",
          "[emulator][mutation]") {
  const auto judgements = judge_mutants(test_compiler(), kernel_cases(), 2, 10);
  INFO(table(judgements) << list_silent(judgements));
  CHECK(judgements.size() >= 30);
  CHECK(percent_caught(judgements) >= 95);
}
