// The kernels of tests/kernels: right and silent however time runs.
#include "kernels/case_run.hpp"
#include "support/catch.hpp"
#include "support/compiler.hpp"

using namespace jute;
using namespace jute::test;

TEST_CASE("kernels of every Hopper feature are right and silent under every schedule",
          "[emulator][kernels]") {
  static const Compiler compiler = test_compiler();
  for (const KernelCase& kernel_case : kernel_cases()) {
    DYNAMIC_SECTION(kernel_case.name) {
      const Verdict verdict = judge(kernel_case, compile(compiler, kernel_case, Output::ptx), 3);
      INFO(verdict.details);
      CHECK(verdict.found == "silent");
    }
  }
}
