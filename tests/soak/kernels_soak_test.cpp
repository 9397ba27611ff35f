// The kernels of tests/kernels for longer: many schedules, and every seeded fault.
#include "kernels/mutation_bench.hpp"
#include "support/catch.hpp"
#include "support/compiler.hpp"

using namespace jute;
using namespace jute::test;

TEST_CASE("kernels of every Hopper feature are right and silent under 20 random schedules",
          "[soak][kernels]") {
  const Compiler compiler = test_compiler();
  for (const KernelCase& kernel_case : kernel_cases()) {
    const Verdict verdict = judge(kernel_case, compile(compiler, kernel_case, Output::ptx), 20);
    INFO(kernel_case.name << "\n" << verdict.details);
    CHECK(verdict.found == "silent");
  }
}

TEST_CASE("seeded faults are named or show as wrong results", "[soak][mutation]") {
  const auto judgements = judge_mutants(test_compiler(), kernel_cases(), 8);
  WARN(table(judgements) << list_silent(judgements));
  CHECK(judgements.size() >= 300);
  CHECK(list_stale(judgements).empty());
  CHECK(percent_caught(judgements) >= 97);
}
