// The kernels of tests/kernels: right and silent however time runs.
#include <exception>

#include "kernels/case_run.hpp"
#include "support/catch.hpp"
#include "support/compiler.hpp"

using namespace jute;
using namespace jute::test;

namespace {

/// `silent`, `refused`, or the codes of what the emulator finds under any schedule.
std::string findings_of(const KernelCase& kernel_case, const std::vector<Binary>& binaries) {
  std::string codes;
  for (const NamedSchedule& schedule : schedules(3)) {
    try {
      const Emulation result = emulate(kernel_case, binaries, schedule);
      INFO(schedule.name);
      CHECK(result.difference == "");
      for (const Finding& finding : result.report.findings) {
        UNSCOPED_INFO(to_string(result.report));
        if (codes.find(finding.code) == std::string::npos) codes += finding.code;
      }
    } catch (const std::exception& refusal) {
      UNSCOPED_INFO(refusal.what());
      return "refused";
    }
  }
  return codes.empty() ? "silent" : codes;
}

}  // namespace

TEST_CASE("kernels of every Hopper feature are right and silent under every schedule",
          "[emulator][kernels]") {
  static const Compiler compiler = test_compiler();
  static const auto awaited = read_list("awaited.txt");
  for (const KernelCase& kernel_case : kernel_cases()) {
    DYNAMIC_SECTION(kernel_case.name) {
      const auto open = awaited.find(kernel_case.name);
      CHECK(findings_of(kernel_case, compile(compiler, kernel_case, Output::ptx)) ==
            (open == awaited.end() ? "silent" : open->second));
    }
  }
}
